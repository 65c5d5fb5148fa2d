import type { Attempt, Queue, Request } from '../queue/types.ts';
import type { QueueRecord, ReadTransaction } from './database.ts';
import { resultOf } from './indexed-db.ts';
import type { Change } from './save-change.ts';

/** The attempts and requests of a queue on disk, as they are at a revision of its record. */
export interface Members {
  revision: string | undefined;
  attempts: Attempt[];
  requests: Request[];
}

/**
 * What was read or written last of each queue, by the connection's id. With a thousand requests that wait, reading them
 * takes longer than everything else that is done to accept one more.
 */
export type QueueCache = Map<string, Members>;

/**
 * Reads the attempts and requests of a queue, where those that are known are of another revision than its record: each
 * write of a queue gives its record a new one, so another store's writes are never missed.
 */
export async function readAtRevision(
  transaction: ReadTransaction,
  cache: QueueCache,
  connectionId: string,
  record: QueueRecord | undefined,
): Promise<Members> {
  const revision = record?.revision;
  const known = cache.get(connectionId);
  if (known && known.revision === revision) return known;
  const [attempts, requests] = await Promise.all([
    resultOf(transaction.objectStore('attempts').index('connectionId').getAll(connectionId)),
    resultOf(transaction.objectStore('requests').index('connectionId').getAll(connectionId)),
  ]);
  const members = { revision, attempts, requests };
  if (record) cache.set(connectionId, members);
  return members;
}

/** Takes in what has been written. */
export function cacheWritten(cache: QueueCache, { before, after, revision }: Change): void {
  const unchanged = new Set(before.queues);
  for (const queue of after.queues)
    if (!unchanged.has(queue)) cache.set(queue.connection.id, membersOf(queue, revision));
}

function membersOf({ attempts, requests }: Queue, revision: string): Members {
  const isOnDisk = (one: Attempt | Request) => !one.private;
  return { revision, attempts: attempts.filter(isOnDisk), requests: requests.filter(isOnDisk) };
}
