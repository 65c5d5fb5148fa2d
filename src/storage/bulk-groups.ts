import type { Group, Link } from '../queue/types.ts';
import { type Database, type ReadTransaction, readIn, resultOf, type WriteTransaction } from './database.ts';
import { findLinks } from './link-queries.ts';
import type { PrivateMemory } from './private-memory.ts';

/** A group, and the links that its addresses have come to so far. */
export interface VisibleGroup {
  group: Group;
  links: Link[];
}

/** A list is remembered for so long: a thousand addresses take seven weeks at twenty a day. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** A group that a page shows, one in a private window those of private windows besides. Null: there is no such group. */
export function visibleGroup(
  database: Database,
  memory: PrivateMemory,
  isPrivate: boolean,
  id: string,
): Promise<VisibleGroup | null> {
  const [groups, links] = isPrivate ? [memory.groups, memory.links] : [[], []];
  return readIn(database, ['groups', 'links', 'requests'], async (transaction) => {
    const group = groups.find((one) => one.id === id) ?? (await groupOf(transaction, id));
    if (!group) return null;
    // What has not ended has no link: of a list that was just accepted, none is looked up.
    const left = new Set(await resultOf(transaction.objectStore('requests').index('groupId').getAllKeys(id)));
    const ids = new Set(group.ids).difference(left);
    return { group, links: await findLinks(transaction, links, { ids: [...ids] }) };
  });
}

function groupOf(transaction: ReadTransaction, id: string): Promise<Group | undefined> {
  return resultOf(transaction.objectStore('groups').get(id));
}

export async function deleteOldGroups(transaction: WriteTransaction, now: number): Promise<void> {
  const store = transaction.objectStore('groups');
  const old = await resultOf(store.index('createdAt').getAllKeys(IDBKeyRange.upperBound(now - KEPT_MS)));
  for (const id of old) store.delete(id);
}
