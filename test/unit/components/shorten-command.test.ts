import '../../gallery/stubbed.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  createShortenCommand,
  type NewShortenCommand,
  type ShortenProgress,
} from '../../../src/components/shorten-command.ts';
import { sendToBackground } from '../../../src/messages/ask-background.ts';
import type { Accepted, Message } from '../../../src/messages/protocol.ts';
import { NO_OPTIONS } from '../../../src/queue/accept.ts';

type Shorten = Message & { type: 'shorten' };

const sendMessage = vi.fn<(message: Shorten) => Promise<unknown>>();
const refresh = vi.fn<(order: ShortenProgress) => Promise<unknown>>();
let control: ReturnType<typeof createShortenCommand>;

const WANTED: NewShortenCommand = {
  url: 'https://example.org/',
  title: 'Example',
  connectionId: 'connection-1',
  userInfoRemoved: false,
  options: NO_OPTIONS,
  anew: false,
};
const ACCEPTED: Accepted = { requestIds: [], existing: [], refused: [], userInfoRemoved: false };
const accepted = (change: Partial<Accepted> = {}) => ({ ok: true, value: { ...ACCEPTED, ...change } });

beforeEach(async () => {
  Object.assign((globalThis as unknown as { browser: { runtime: object } }).browser.runtime, { sendMessage });
  vi.resetAllMocks();
  refresh.mockResolvedValue(null);
  const deps = { ask: sendToBackground, newId: () => crypto.randomUUID(), now: Date.now };
  control = createShortenCommand(deps, null, false, refresh);
});

async function settled(does: () => void): Promise<void> {
  does();
  await new Promise((resolve) => setTimeout(resolve));
}
const place = (change: Partial<NewShortenCommand> = {}) => settled(() => void control.place({ ...WANTED, ...change }));
const ids = () => new Set(sendMessage.mock.calls.map(([message]) => message.orders[0]?.id));

test('when the background accepts a request, the popup re-reads its data', async () => {
  sendMessage.mockResolvedValue(accepted());
  await place();
  expect(control.order.value).toMatchObject({
    url: WANTED.url,
    title: WANTED.title,
    state: 'accepted',
    existing: false,
  });
  expect(refresh).toHaveBeenCalledWith(expect.objectContaining({ id: control.order.value?.id }));
});

test('a request is not shown before it is accepted', async () => {
  const answer = Promise.withResolvers<unknown>();
  sendMessage.mockReturnValue(answer.promise);
  let isAccepted: boolean | undefined;
  await settled(() => void control.place(WANTED).then((accepted) => (isAccepted = accepted)));
  expect([control.order.value, control.asking.value?.url, isAccepted]).toEqual([null, WANTED.url, undefined]);
  await settled(() => answer.resolve(accepted()));
  expect([control.order.value?.state, control.asking.value, isAccepted]).toEqual(['accepted', null, true]);
});

test('a request contains its connection, and asks for another link only if the user does', async () => {
  sendMessage.mockResolvedValue(accepted());
  await place();
  await place({ anew: true });
  expect(sendMessage.mock.calls.map(([{ connectionId, anew }]) => ({ connectionId, anew }))).toEqual([
    { connectionId: 'connection-1', anew: false },
    { connectionId: 'connection-1', anew: true },
  ]);
});

test('a request for a URL that already has a link returns this link', async () => {
  const existing = (orderId: string) => [{ orderId, linkId: 'link-9', shortUrl: 'https://go.example/9' }];
  sendMessage.mockImplementation(async ({ orders }) => accepted({ existing: existing(orders[0]?.id ?? '') }));
  await place();
  expect(control.order.value).toMatchObject({ state: 'accepted', resultId: 'link-9', existing: true });
  expect(refresh).toHaveBeenCalledWith(expect.objectContaining({ resultId: 'link-9' }));
});

test('a link that was created by a repeated request does not count as an existing link', async () => {
  sendMessage.mockImplementation(async ({ orders }) => {
    const id = orders[0]?.id ?? '';
    return accepted({ existing: [{ orderId: id, linkId: id, shortUrl: 'https://go.example/9' }] });
  });
  await place();
  expect(control.order.value?.existing).toBe(false);
});

test('a request for a URL that is already in the queue follows the queued request', async () => {
  sendMessage.mockResolvedValue(accepted({ requestIds: ['request-before'] }));
  await place();
  expect(control.order.value?.resultId).toBe('request-before');
});

test('a request reports that user info was removed', async () => {
  sendMessage.mockResolvedValue(accepted({ userInfoRemoved: true }));
  await place();
  expect(control.order.value?.userInfoRemoved).toBe(true);
});

test('a request is repeated with the same id if the background dies', async () => {
  sendMessage.mockRejectedValueOnce(new Error('closed')).mockResolvedValueOnce(accepted());
  await place();
  expect(control.order.value?.state).toBe('accepted');
  expect(sendMessage).toHaveBeenCalledTimes(2);
  expect(ids().size).toBe(1);
});

test("if a request got no reply, the user's retry uses the same id", async () => {
  sendMessage.mockResolvedValueOnce(undefined).mockResolvedValueOnce(undefined);
  await place();
  expect([control.order.value?.state, control.asking.value]).toEqual(['lost', null]);
  sendMessage.mockResolvedValueOnce(accepted());
  await settled(() => void control.askAgain());
  expect(control.order.value?.state).toBe('accepted');
  expect(ids().size).toBe(1);
});

test('an unanswered request that is placed again keeps its id until the user changes something', async () => {
  sendMessage.mockResolvedValue(undefined);
  await place();
  await place();
  expect(ids().size).toBe(1);
  await place({ anew: true });
  expect(ids().size).toBe(2);
  await place({ options: { ...NO_OPTIONS, title: 'Another' } });
  expect(ids().size).toBe(3);
});

test('an accepted request that is missing from the data is repeated with the same id', async () => {
  sendMessage.mockResolvedValue(accepted());
  refresh.mockRejectedValueOnce(new Error('The queues could not be read.'));
  await place();
  expect(control.order.value?.state).toBe('lost');
  await settled(() => control.askAgain());
  expect(control.order.value?.state).toBe('accepted');
  expect(ids().size).toBe(1);
});

test('a refused request has an error code', async () => {
  sendMessage.mockResolvedValue({ ok: false, code: 'storage_full' });
  await place();
  expect(control.order.value).toMatchObject({ state: 'refused', code: 'storage_full' });
});

test('a new request gets a new id, and a late reply to an old request changes nothing', async () => {
  sendMessage.mockResolvedValue(accepted());
  await place();
  await place();
  expect(ids().size).toBe(2);
  let answer: (reply: unknown) => void = () => {};
  sendMessage.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  await place();
  await settled(() => control.show(null));
  await settled(() => answer(accepted()));
  expect(control.order.value).toBeNull();
});

test('a request from a private window for a URL that already has a link returns this link', async () => {
  const ask = vi.fn().mockResolvedValue({ ok: true, value: { link: { id: 'link-9' }, isNew: false } });
  const privately = createShortenCommand({ ask, newId: () => 'command', now: () => 7 }, null, true, refresh);
  await settled(() => void privately.place(WANTED));
  expect(privately.order.value).toMatchObject({ state: 'finished', resultId: 'link-9', existing: true });
});

test('a request from a private window is sent again as it was, unless the server refused it', async () => {
  const failed = (isRefused: boolean) => ({
    ok: true,
    value: { problem: { code: 'no_answer', message: '' }, isUncertain: false, isRefused },
  });
  const ask = vi.fn().mockRejectedValueOnce(new Error('stopped')).mockResolvedValueOnce(failed(false));
  ask.mockResolvedValueOnce(failed(true)).mockResolvedValueOnce(failed(true));
  let count = 0;
  const deps = { ask, newId: () => `command-${++count}`, now: () => count };
  const privately = createShortenCommand(deps, null, true, refresh);
  await settled(() => void privately.place(WANTED));
  expect(privately.order.value?.state).toBe('lost');
  for (let n = 0; n < 3; n += 1) await settled(privately.askAgain);
  const [first, second, third, fourth] = ask.mock.calls.map(([message]) => message);
  expect(first).toMatchObject({ type: 'shorten-privately', id: 'command-1', at: 1, url: WANTED.url });
  expect([second, third]).toEqual([first, first]);
  expect(fourth).toEqual({ ...first, id: 'command-2', at: 2 });
});
