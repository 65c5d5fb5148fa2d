import { beforeEach, expect, test, vi } from 'vitest';
import { type Answerer, answerMessages } from '../../../src/platform/answer-messages.ts';

type Listener = (message: unknown, sender: object, respond: (reply: unknown) => void) => unknown;
const { listeners } = vi.hoisted(() => ({ listeners: [] as Listener[] }));
vi.mock('../../../src/platform/browser.ts', () => ({
  default: { runtime: { onMessage: { addListener: (listener: Listener) => listeners.push(listener) } } },
}));

beforeEach(() => {
  listeners.length = 0;
});

/** What the browser is told at once, and what the sender gets later. */
function given(answer: Answerer) {
  answerMessages(answer);
  const respond = vi.fn();
  const kept = listeners[0]?.('a message', { id: 'ours' }, respond);
  return { kept, respond };
}

test('an answer keeps the message open and is sent when it is there', async () => {
  const answer = vi.fn(async () => 'the answer');
  const { kept, respond } = given(answer);
  expect(kept).toBe(true);
  expect(respond).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(respond).toHaveBeenCalledExactlyOnceWith('the answer'));
  expect(answer).toHaveBeenCalledExactlyOnceWith('a message', { id: 'ours' });
});

test('a message that is not for it is left to others', () => {
  const { kept, respond } = given(() => undefined);
  expect(kept).toBeUndefined();
  expect(respond).not.toHaveBeenCalled();
});

test('an answer that fails is answered with nothing, so that nobody waits for ever', async () => {
  const { kept, respond } = given(() => Promise.reject(new Error('broken')));
  expect(kept).toBe(true);
  await vi.waitFor(() => expect(respond).toHaveBeenCalledExactlyOnceWith(undefined));
});
