import '../../gallery/stubbed.ts';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import { useErrorToast } from '../../../src/components/error-toast.tsx';
import { render } from '../support/render.ts';

// @vitest-environment happy-dom

const sendMessage = vi.fn<() => Promise<unknown>>();
const refresh = vi.fn(() => Promise.resolve());
const writeText = vi.fn<() => Promise<void>>();
let control: ReturnType<typeof useErrorToast>;

function Page() {
  control = useErrorToast(refresh);
  return null;
}

beforeEach(async () => {
  Object.assign((globalThis as unknown as { browser: { runtime: object } }).browser.runtime, { sendMessage });
  vi.resetAllMocks();
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
  refresh.mockResolvedValue();
  await render(<Page />);
});

const change = async () => {
  let done: boolean | undefined;
  await act(async () => {
    done = await control.change({ type: 'cancel', ids: ['request-1'] });
  });
  return done;
};

test('a successful change shows no message, and the page re-reads its data', async () => {
  sendMessage.mockResolvedValue({ ok: true, value: null });
  expect(await change()).toBe(true);
  expect(control.flash).toBeNull();
  expect(refresh).toHaveBeenCalledOnce();
});

test.each([
  [{ ok: false, code: 'storage_full' }, 'The disk is full. Free some space and try again.'],
  [{ ok: false, code: 'too_late' }, 'This link is already being sent.'],
  [undefined, "Terse didn't respond. Nothing was lost. Try again."],
])('the error message for the reply %j is shown until the next success', async (reply, text) => {
  sendMessage.mockResolvedValue(reply);
  expect(await change()).toBe(false);
  expect(control.flash).toEqual({ text });
  sendMessage.mockResolvedValue({ ok: true, value: null });
  await change();
  expect(control.flash).toBeNull();
});

test('the error message is shown even if the page cannot re-read its data', async () => {
  sendMessage.mockResolvedValue({ ok: false, code: 'internal' });
  refresh.mockRejectedValue(new Error('The queues could not be read.'));
  expect(await change()).toBe(false);
  expect(control.flash?.text).toBe('Something went wrong in Terse. Try again.');
});

test('if the browser refuses to copy, the text is shown for manual copying', async () => {
  writeText.mockRejectedValue(new Error('Write permission denied.'));
  await act(() => control.copy('https://go.example/a').catch(() => undefined));
  expect(control.flash).toEqual({ text: expect.stringContaining('blocked'), url: 'https://go.example/a' });
  writeText.mockResolvedValue();
  await act(() => control.copy('https://go.example/a'));
  expect(control.flash).toBeNull();
});
