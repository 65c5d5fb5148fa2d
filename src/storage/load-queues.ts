import { newQueue } from '../queue/initial.ts';
import type { Attempt, Connection, Queue, Request } from '../queue/types.ts';
import type { QueueRecord, StoreName, Transaction } from './database.ts';
import type { PrivateMemory } from './private-memory.ts';
import type { QueuesView } from './view.ts';

/** The object stores that queues are made of. */
export const QUEUE_STORES: StoreName[] = ['connections', 'queues', 'attempts', 'requests'];

/** Reads the queue of a connection; null: there is no such connection. */
export async function loadQueue<Mode extends IDBTransactionMode>(
  transaction: Transaction<Mode>,
  memory: PrivateMemory,
  connectionId: string,
): Promise<Queue | null> {
  const [connection, record, attempts, requests] = await Promise.all([
    transaction.objectStore('connections').get(connectionId),
    transaction.objectStore('queues').get(connectionId),
    transaction.objectStore('attempts').index('connectionId').getAll(connectionId),
    transaction.objectStore('requests').index('connectionId').getAll(connectionId),
  ]);
  if (!connection) return null;
  const isOwn = (one: Attempt | Request) => one.connectionId === connectionId;
  return queueOf(
    connection,
    record,
    [...attempts, ...memory.attempts.filter(isOwn)],
    [...requests, ...memory.requests.filter(isOwn)],
  );
}

/** Reads every queue, the default connection's first, and the requests that are in none. */
export async function loadQueues<Mode extends IDBTransactionMode>(
  transaction: Transaction<Mode>,
  memory: PrivateMemory,
): Promise<QueuesView> {
  const [connections, records, attempts, requests] = await Promise.all([
    transaction.objectStore('connections').getAll(),
    transaction.objectStore('queues').getAll(),
    transaction.objectStore('attempts').getAll(),
    transaction.objectStore('requests').getAll(),
  ]);
  const allAttempts = Map.groupBy([...attempts, ...memory.attempts], ({ connectionId }) => connectionId);
  const allRequests = Map.groupBy([...requests, ...memory.requests], ({ connectionId }) => connectionId);
  const queues = connections
    .toSorted((one, other) => other.preferredAt - one.preferredAt)
    .map((connection) => {
      const record = records.find(({ connectionId }) => connectionId === connection.id);
      const own = allRequests.get(connection.id) ?? [];
      allRequests.delete(connection.id);
      return queueOf(connection, record, allAttempts.get(connection.id) ?? [], own);
    });
  return { queues, unassigned: [...allRequests.values()].flat().sort(byAge) };
}

function queueOf(
  connection: Connection,
  record: QueueRecord | undefined,
  attempts: Attempt[],
  requests: Request[],
): Queue {
  const { state, budget } = record ?? newQueue(connection);
  const byFirstSend = (one: Attempt, other: Attempt) => one.firstSend.atService - other.firstSend.atService;
  return { connection, state, budget, attempts: attempts.sort(byFirstSend), requests: requests.sort(byAge) };
}

function byAge(one: Request, other: Request): number {
  return one.createdAt - other.createdAt;
}
