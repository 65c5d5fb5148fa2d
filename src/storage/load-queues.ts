import { newQueue } from '../queue/add-replace-delete-connection.ts';
import { sortByQueueOrder } from '../queue/queue-order.ts';
import type { Attempt, Connection, Queue, Request, VisibleQueues } from '../queue/types.ts';
import type { QueueRecord, ReadTransaction, StoreName } from './database.ts';
import type { PrivateMemory } from './private-memory.ts';
import type { Change } from './save-queues.ts';

/** Stored attempts and requests of a queue. `revision` identifies the version of the queue that contains them. */
export interface Members {
  revision: string | undefined;
  attempts: Attempt[];
  requests: Request[];
}

/**
 * Cached queues by connection id. With a thousand waiting requests, reading the queue from the database would be the
 * slowest step in accepting a new request.
 */
export type QueueCache = Map<string, Members>;

/**
 * Reads the attempts and requests of a queue. Uses the cache if its revision is current. Every write changes the
 * revision, so writes by other code are never missed.
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
    transaction.objectStore('attempts').index('connectionId').getAll(connectionId),
    transaction.objectStore('requests').index('connectionId').getAll(connectionId),
  ]);
  const members = { revision, attempts, requests };
  if (record) cache.set(connectionId, members);
  return members;
}

export function cacheWritten(cache: QueueCache, { before, after, revision }: Change): void {
  const unchanged = new Set(before.queues);
  for (const queue of after.queues)
    if (!unchanged.has(queue)) cache.set(queue.connection.id, membersOf(queue, revision));
}

function membersOf({ attempts, requests }: Queue, revision: string): Members {
  const isOnDisk = (one: Attempt | Request) => !one.private;
  return { revision, attempts: attempts.filter(isOnDisk), requests: requests.filter(isOnDisk) };
}

export const QUEUE_STORES: StoreName[] = ['connections', 'queues', 'attempts', 'requests'];

/** Reads all queues, or only one connection's queue. The default connection comes first. */
export async function loadQueues(
  transaction: ReadTransaction,
  memory: PrivateMemory,
  cache: QueueCache,
  connectionId?: string,
): Promise<Queue[]> {
  const [connections, records] = await Promise.all([
    transaction.objectStore('connections').getAll(connectionId),
    transaction.objectStore('queues').getAll(connectionId),
  ]);
  const queues = await Promise.all(
    connections.map(async (connection) => {
      const record = records.find(({ connectionId }) => connectionId === connection.id);
      const { attempts, requests } = await readAtRevision(transaction, cache, connection.id, record);
      const isOwn = ({ connectionId }: Attempt | Request) => connectionId === connection.id;
      return queueOf(
        connection,
        record,
        [...attempts, ...memory.attempts.filter(isOwn)],
        [...requests, ...memory.requests.filter(isOwn)],
      );
    }),
  );
  return queues.sort(byPreference);
}

/**
 * Reads all queues, and the requests without a connection. Requests without a connection are omitted if they come
 * from private windows, because the user has not chosen their service.
 */
export async function loadView(transaction: ReadTransaction, memory: PrivateMemory): Promise<VisibleQueues> {
  const [connections, records, attempts, requests] = await Promise.all([
    transaction.objectStore('connections').getAll(),
    transaction.objectStore('queues').getAll(),
    transaction.objectStore('attempts').getAll(),
    transaction.objectStore('requests').getAll(),
  ]);
  const allAttempts = Map.groupBy([...attempts, ...memory.attempts], ({ connectionId }) => connectionId);
  const allRequests = Map.groupBy([...requests, ...memory.requests], ({ connectionId }) => connectionId);
  const queues = connections.map((connection) => {
    const record = records.find(({ connectionId }) => connectionId === connection.id);
    const own = allRequests.get(connection.id) ?? [];
    allRequests.delete(connection.id);
    return queueOf(connection, record, allAttempts.get(connection.id) ?? [], own);
  });
  const unassigned = [...allRequests.values()].flat().filter((request) => !request.private);
  return { queues: queues.sort(byPreference), unassigned: unassigned.sort(sortByQueueOrder) };
}

function queueOf(
  connection: Connection,
  record: QueueRecord | undefined,
  attempts: Attempt[],
  requests: Request[],
): Queue {
  const { state, limits } = record ?? newQueue(connection);
  const byFirstSend = (one: Attempt, other: Attempt) => one.firstSentAt - other.firstSentAt;
  return { connection, state, limits, attempts: attempts.sort(byFirstSend), requests: requests.sort(sortByQueueOrder) };
}

/**
 * Sorts the default connection first, and connections without an API key last. Connections without an API key come
 * from an imported file and must not become the default.
 */
function byPreference(one: Queue, other: Queue): number {
  const keyless = ({ state }: Queue) => Number(state.halt === 'key_missing');
  return keyless(one) - keyless(other) || other.connection.preferredAt - one.connection.preferredAt;
}
