import type { Group, Link } from '../queue/types.ts';
import { type Database, readIn, type WriteTransaction } from './database.ts';
import { findLinks } from './link-queries.ts';

export interface VisibleGroup {
  group: Group;
  links: Link[];
}

/** Age at which a bulk list is deleted. At 20 links a day, a list of 1,000 URLs takes seven weeks to send. */
const MAX_AGE_MS = 90 * 24 * 3_600_000;

/** Returns a bulk list with its links, or null if the bulk list does not exist. */
export function visibleGroup(database: Database, id: string): Promise<VisibleGroup | null> {
  return readIn(database, ['groups', 'links', 'requests'], async (transaction) => {
    const group = await transaction.objectStore('groups').get(id);
    if (!group) return null;
    // Unfinished requests have no links yet, so their ids are left out of the lookup.
    const unfinished = new Set(await transaction.objectStore('requests').index('groupId').getAllKeys(id));
    const ids = new Set(group.ids).difference(unfinished);
    return { group, links: await findLinks(transaction, { ids: [...ids] }) };
  });
}

export async function deleteOldGroups(transaction: WriteTransaction, now: number): Promise<void> {
  const store = transaction.objectStore('groups');
  const old = await store.index('createdAt').getAllKeys(IDBKeyRange.upperBound(now - MAX_AGE_MS));
  for (const id of old) await store.delete(id);
}
