import '../../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { useOnline } from '../../../../src/components/hooks/use-online.ts';
import { render, textOf } from '../../support/render.ts';

// @vitest-environment happy-dom

const sendMessage = vi.fn<(message: unknown) => Promise<unknown>>();

function Page() {
  return <p>{useOnline() ? 'online' : 'offline'}</p>;
}

beforeEach(() => {
  sendMessage.mockReset();
  Object.assign((globalThis as unknown as { browser: { runtime: object } }).browser.runtime, { sendMessage });
});

async function network(online: boolean) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
  await act(() => void dispatchEvent(new Event(online ? 'online' : 'offline')));
}

test('a page tells the background when the network returns, because the background receives no event', async () => {
  sendMessage.mockResolvedValue({ ok: true, value: null });
  await render(<Page />);
  await network(false);
  expect(textOf(document.body)).toBe('offline');
  expect(sendMessage).not.toHaveBeenCalled();
  await network(true);
  expect(textOf(document.body)).toBe('online');
  expect(sendMessage.mock.calls).toEqual([[{ type: 'online' }]]);
});

test('a missing reply from the background is ignored', async () => {
  sendMessage.mockRejectedValue(new Error('closed'));
  await render(<Page />);
  await network(true);
  expect(textOf(document.body)).toBe('online');
});

test('a closed page stops listening for network changes', async () => {
  await render(<Page />);
  await render(null);
  // Preact runs effect cleanups after the next paint.
  await vi.waitFor(async () => {
    sendMessage.mockClear();
    await network(true);
    expect(sendMessage).not.toHaveBeenCalled();
  });
});
