import browser from '../browser/browser.ts';
import type { Message, Reply } from './protocol.ts';

/** Error for a background that stopped before it replied. The message may or may not have had an effect. */
export class NoReply extends Error {
  override name = 'NoReply';
}

/**
 * Sends a message to the background. If the browser stops the background, it rejects the promise or resolves it with
 * `undefined`.
 *
 * @throws NoReply in both cases. The page must then read the database to see what happened.
 */
export async function sendToBackground<T = null>(message: Message): Promise<Reply<T>> {
  const reply = await browser.runtime.sendMessage(message).catch((cause) => {
    throw new NoReply('The background did not answer.', { cause });
  });
  if (reply === undefined) throw new NoReply('The background did not answer.');
  return reply as Reply<T>;
}

/**
 * Sends a message to the background, and repeats it once if there is no reply. Messages carry ids, so a repetition has no second
 * effect. `retry` is not repeated, because that could create a second link.
 *
 * @throws NoReply if there is still no reply
 */
export async function sendToBackgroundWithRetry<T = null>(message: Message): Promise<Reply<T>> {
  try {
    return await sendToBackground<T>(message);
  } catch (error) {
    if (!(error instanceof NoReply) || message.type === 'retry') throw error;
    return sendToBackground<T>(message);
  }
}
