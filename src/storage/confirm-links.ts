import { givesOutBelow } from '../queue/gives-out.ts';
import type { ReadTransaction } from './database.ts';
import { resultOf } from './indexed-db.ts';
import type { Change } from './save-change.ts';

/**
 * Adds to a change the links of files that its connections give out by what is known now, and was not before. A code that
 * the connection has already stays with its link, which may have been edited since the file was written.
 */
export async function confirmLinks(transaction: ReadTransaction, { before, after, links }: Change): Promise<void> {
  const known = before.queues.map(givesOutBelow);
  for (const queue of after.queues) {
    const below = givesOutBelow(queue);
    if (!below || known.includes(below)) continue;
    const connectionId = queue.connection.id;
    const all = await resultOf(transaction.objectStore('links').getAll());
    const codes = new Set(all.map((link) => link.connectionId === connectionId && link.shortCode));
    for (const { unconfirmed, ...link } of all) {
      if (!unconfirmed || !link.shortUrl.startsWith(below) || codes.has(link.shortCode)) continue;
      links.push({ ...link, connectionId });
    }
  }
}
