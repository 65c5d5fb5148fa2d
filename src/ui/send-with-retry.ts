import { ask, NoReply } from '../messages/ask.ts';
import type { Message, Reply } from '../messages/messages.ts';

/**
 * Sends the background a message, once more where it died over it. Every message names what it is about by an id, so
 * that twice sent is once done; all but one: sending a request again that has been sent again meanwhile could make a
 * second link.
 *
 * @throws NoReply where it stayed unanswered
 */
export async function sendWithRetry<T = null>(message: Message): Promise<Reply<T>> {
  try {
    return await ask<T>(message);
  } catch (error) {
    if (!(error instanceof NoReply) || message.type === 'retry') throw error;
    return ask<T>(message);
  }
}
