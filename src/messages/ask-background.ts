import browser from '../browser/browser.ts';
import type { Message, Reply } from './protocol.ts';

/** The answer never came: the background died while it worked. What was asked may or may not have happened. */
export class NoReply extends Error {
  override name = 'NoReply';
}

/**
 * Asks the background. A killed worker rejects the promise or resolves it `undefined`: both become `NoReply`, and the
 * page reads the database again instead of guessing.
 *
 * @throws NoReply
 */
export async function sendToBackground<T = null>(message: Message): Promise<Reply<T>> {
  const reply = await browser.runtime.sendMessage(message).catch((cause) => {
    throw new NoReply('The background did not answer.', { cause });
  });
  if (reply === undefined) throw new NoReply('The background did not answer.');
  return reply as Reply<T>;
}

/**
 * Sends the background a message, once more where it died over it. Every message names what it is about by an id, so
 * that twice sent is once done; all but one: sending a request again that has been sent again meanwhile could make a
 * second link.
 *
 * @throws NoReply where it stayed unanswered
 */
export async function sendToBackgroundWithRetry<T = null>(message: Message): Promise<Reply<T>> {
  try {
    return await sendToBackground<T>(message);
  } catch (error) {
    if (!(error instanceof NoReply) || message.type === 'retry') throw error;
    return sendToBackground<T>(message);
  }
}
