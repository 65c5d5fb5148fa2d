import browser from '../platform/browser.ts';
import type { Link } from '../queue/types.ts';
import type { GroupView } from '../storage/groups.ts';
import { countLinksHere, readGroupHere, readLinksHere, readQueuesHere } from '../storage/read.ts';
import type { LinkQuery, QueuesView } from '../storage/view.ts';
import { ask } from './ask.ts';
import type { Message } from './messages.ts';

/*
 * Reads what a page shows, from the database itself where it can be reached. A page in a Firefox private window has a
 * database of its own, an empty one: it asks the background.
 */

/** @throws NoReply */
export async function readQueues(isPrivate: boolean): Promise<QueuesView> {
  if (!browser.extension.inIncognitoContext) return readQueuesHere(isPrivate);
  return askFor({ type: 'read-queues', private: isPrivate });
}

/** @throws NoReply */
export async function readLinks(isPrivate: boolean, query: LinkQuery = {}): Promise<Link[]> {
  if (!browser.extension.inIncognitoContext) return readLinksHere(isPrivate, query);
  return askFor({ type: 'read-links', private: isPrivate, query });
}

/**
 * How many links there are, private ones apart.
 *
 * @throws NoReply
 */
export async function countLinks(): Promise<number> {
  if (!browser.extension.inIncognitoContext) return (await countLinksHere()).all;
  return (await readLinks(false)).length;
}

/** @throws NoReply */
export async function readGroup(isPrivate: boolean, id: string): Promise<GroupView | null> {
  if (!browser.extension.inIncognitoContext) return readGroupHere(isPrivate, id);
  return askFor({ type: 'read-group', private: isPrivate, id });
}

async function askFor<T>(message: Message): Promise<T> {
  const reply = await ask<T>(message);
  if (!reply.ok) throw new Error(`The background refused to read: ${reply.code}`);
  return reply.value;
}
