import { ask, NoReply } from '../messages/ask.ts';
import type { Message, Reply } from '../messages/messages.ts';

/**
 * Asks the background, once more where it died over the question. Every message names what it is about by an id, so
 * that asked twice is done once; all but one: sending again what has been sent again meanwhile could make a second link.
 *
 * @throws NoReply where it stayed unanswered
 */
export async function askSurely<T = null>(message: Message): Promise<Reply<T>> {
  try {
    return await ask<T>(message);
  } catch (error) {
    if (!(error instanceof NoReply) || message.type === 'retry') throw error;
    return ask<T>(message);
  }
}
