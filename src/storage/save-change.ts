import type { Group, Link, Time } from '../queue/types.ts';
import type { Changed } from './changes.ts';
import type { WriteTransaction } from './database.ts';
import { resultOf } from './indexed-db.ts';
import { listedId } from './listed-id.ts';
import type { PrivateMemory } from './private-memory.ts';
import { isSame, remembered, rememberQueues, writeQueues } from './save-queues.ts';
import type { QueuesView } from './view.ts';

/** What one transaction changes: some queues as they were and as they are, and links and groups, new or different. */
export interface Change {
  before: QueuesView;
  after: QueuesView;
  links: Link[];
  /** The ids of links that go. */
  gone?: string[];
  groups: Group[];
  /** The new revision of the queues that differ. */
  revision: string;
}

/** Writes the part of a change that belongs on disk. */
export async function writeChange(transaction: WriteTransaction, change: Change, time: Time): Promise<void> {
  const { before, after, links, gone = [], groups, revision } = change;
  const store = transaction.objectStore('links');
  writeQueues(transaction, before, after, { revision, latestTime: time.now });
  for (const id of gone) store.delete(id);
  for (const group of groups) if (!group.private) transaction.objectStore('groups').put(group);
  for (const link of links) {
    if (link.private) continue;
    // A list may have named it before its own answer came, a file before any service did.
    if (link.connectionId !== null) {
      store.delete(listedId(link.connectionId, link.shortCode));
      for (const { id, url, unconfirmed } of await resultOf(store.index('shortUrl').getAll(link.shortUrl)))
        if (unconfirmed && url === link.url) store.delete(id);
    }
    store.put(link);
  }
}

/** Private memory after a change; the same object where nothing private has changed. */
export function rememberChange(memory: PrivateMemory, { before, after, links, groups }: Change): PrivateMemory {
  const next = rememberQueues(memory, before, after);
  const fresh = { links: remembered(next.links, [], links), groups: remembered(next.groups, [], groups) };
  return fresh.links === next.links && fresh.groups === next.groups ? next : { ...next, ...fresh };
}

/** What of a change pages have to know. */
export function changedBy({ before, after, links, gone = [] }: Change): Changed {
  return { queues: !isSame(before, after), links: links.length + gone.length > 0, added: links };
}
