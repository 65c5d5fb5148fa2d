// @vitest-environment happy-dom
import '../../gallery/stubbed.ts';

import { useState } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Wish } from '../../../src/popup/stage.ts';
import { useWish } from '../../../src/popup/use-wish.ts';
import { render } from './render.ts';

const sendMessage = vi.fn<(message: { id: string }) => Promise<unknown>>();
const refresh = vi.fn(() => Promise.resolve());
let control: ReturnType<typeof useWish> & { wish: Wish | null };

function Page() {
  const [wish, setWish] = useState<Wish | null>(null);
  control = { wish, ...useWish(wish, setWish, false, refresh) };
  return null;
}

beforeEach(async () => {
  Object.assign((globalThis as unknown as { browser: { runtime: object } }).browser.runtime, { sendMessage });
  sendMessage.mockReset();
  await render(<Page />);
});

/** What the page does, and all that follows from it before the browser does anything else. */
const settled = (does: () => void) =>
  act(async () => {
    does();
    await new Promise((resolve) => setTimeout(resolve));
  });
const make = () => settled(() => control.make('https://example.org/', 'Example'));
const ids = () => new Set(sendMessage.mock.calls.map(([message]) => message.id));

test('is accepted once it is on disk, and the view is read before it is shown', async () => {
  sendMessage.mockResolvedValue({ ok: true, value: null });
  await make();
  expect(control.wish).toMatchObject({
    url: 'https://example.org/',
    title: 'Example',
    state: 'accepted',
  } satisfies Partial<Wish>);
  expect(refresh).toHaveBeenCalled();
});

test('a background that dies over the question is asked again by the same id', async () => {
  sendMessage.mockRejectedValueOnce(new Error('closed')).mockResolvedValueOnce({ ok: true, value: null });
  await make();
  expect(control.wish?.state).toBe('accepted');
  expect(sendMessage).toHaveBeenCalledTimes(2);
  expect(ids().size).toBe(1);
});

test('after silence the person asks again, still by the same id', async () => {
  sendMessage.mockResolvedValueOnce(undefined).mockResolvedValueOnce(undefined);
  await make();
  expect(control.wish?.state).toBe('lost');
  sendMessage.mockResolvedValueOnce({ ok: true, value: null });
  await settled(() => control.askAgain());
  expect(control.wish?.state).toBe('accepted');
  expect(ids().size).toBe(1);
});

test('accepted, but out of sight, it is asked for again by the same id', async () => {
  sendMessage.mockResolvedValue({ ok: true, value: null });
  refresh.mockRejectedValueOnce(new Error('The view could not be read.'));
  await make();
  expect(control.wish?.state).toBe('lost');
  await settled(() => control.askAgain());
  expect(control.wish?.state).toBe('accepted');
  expect(ids().size).toBe(1);
});

test('a refusal is told by its code', async () => {
  sendMessage.mockResolvedValue({ ok: false, code: 'storage_full' });
  await make();
  expect(control.wish).toMatchObject({ state: 'refused', code: 'storage_full' });
});

test('a new wish gets an id of its own', async () => {
  sendMessage.mockResolvedValue({ ok: true, value: null });
  await make();
  await make();
  expect(ids().size).toBe(2);
});
