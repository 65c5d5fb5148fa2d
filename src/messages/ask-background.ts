import browser from '../browser/browser.ts';
import type { Message, Reply } from './protocol.ts';

/** Thrown if the background worker stopped before it replied. The worker may still have handled the message. */
export class NoReply extends Error {
  override name = 'NoReply';
}

const NEVER_REPEATED: Message['type'][] = ['retry', 'shorten-privately'];

/**
 * Sends a message to the background worker, and repeats the message once if there is no reply. A message that could
 * create a second link is never repeated. All other messages are safe to send twice.
 *
 * @throws NoReply if there is still no reply, because the worker stopped. The page must then read the database to find
 * out whether the message was handled.
 */
export async function sendToBackground<T = null>(
  message: Message,
  isRepeated = !NEVER_REPEATED.includes(message.type),
): Promise<Reply<T>> {
  // If the browser stops the worker, `sendMessage` either rejects or resolves to `undefined`.
  const [sent] = await Promise.allSettled([browser.runtime.sendMessage(message)]);
  if (sent.status === 'fulfilled' && sent.value !== undefined) return sent.value as Reply<T>;
  if (isRepeated) return sendToBackground<T>(message, false);
  throw new NoReply('The background did not answer.');
}
