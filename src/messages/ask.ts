import browser from '../platform/browser.ts';
import type { Message, Reply } from './messages.ts';

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
export async function ask<T = null>(message: Message): Promise<Reply<T>> {
  const reply = await browser.runtime.sendMessage(message).catch((cause) => {
    throw new NoReply('The background did not answer.', { cause });
  });
  if (reply === undefined) throw new NoReply('The background did not answer.');
  return reply as Reply<T>;
}
