import browser from '../browser/browser.ts';
import type { Message, Reply } from './protocol.ts';

/** Thrown if the background worker stopped before it replied. The worker may still have handled the message. */
export class NoReply extends Error {
  override name = 'NoReply';
}

/**
 * Sends a message to the background worker. If the browser stops the worker, `runtime.sendMessage` either rejects or
 * resolves to `undefined`.
 *
 * @throws NoReply if the worker stopped. The page must then read the database to find out whether the message was
 * handled.
 */
export async function sendToBackground<T = null>(message: Message): Promise<Reply<T>> {
  const reply = await browser.runtime.sendMessage(message).catch((cause) => {
    throw new NoReply('The background did not answer.', { cause });
  });
  if (reply === undefined) throw new NoReply('The background did not answer.');
  return reply as Reply<T>;
}

const NEVER_REPEATED: Message['type'][] = ['retry', 'send-privately'];

/**
 * Sends a message to the background worker, and repeats the message once if there is no reply. A message that could
 * create a second link is never repeated. All other messages are safe to send twice.
 *
 * @throws NoReply if there is still no reply
 */
export async function sendToBackgroundWithRetry<T = null>(message: Message): Promise<Reply<T>> {
  try {
    return await sendToBackground<T>(message);
  } catch (error) {
    if (!(error instanceof NoReply) || NEVER_REPEATED.includes(message.type)) throw error;
    return sendToBackground<T>(message);
  }
}
