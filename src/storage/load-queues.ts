import { newQueue } from '../queue/initial.ts';
import { inLine } from '../queue/line.ts';
import type { Attempt, Connection, Queue, Request } from '../queue/types.ts';
import type { QueueRecord, ReadTransaction, StoreName } from './database.ts';
import { resultOf } from './indexed-db.ts';
import type { PrivateMemory } from './private-memory.ts';
import { type QueueCache, readAtRevision } from './queue-cache.ts';
import type { QueuesView } from './view.ts';

/** The object stores that queues are made of. */
export const QUEUE_STORES: StoreName[] = ['connections', 'queues', 'attempts', 'requests'];

/** Reads the queue of every connection, the default one's first, or of one connection alone; none where there is none. */
export async function loadQueues(
  transaction: ReadTransaction,
  memory: PrivateMemory,
  cache: QueueCache,
  connectionId?: string,
): Promise<Queue[]> {
  const [connections, records] = await Promise.all([
    resultOf(transaction.objectStore('connections').getAll(connectionId)),
    resultOf(transaction.objectStore('queues').getAll(connectionId)),
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
 * Reads every queue, and the requests of no connection. No index has those, so all requests are read. Private requests of no connection
 * are left out, because the next connection would send them to a service that the user did not choose.
 */
export async function loadView(transaction: ReadTransaction, memory: PrivateMemory): Promise<QueuesView> {
  const [connections, records, attempts, requests] = await Promise.all([
    resultOf(transaction.objectStore('connections').getAll()),
    resultOf(transaction.objectStore('queues').getAll()),
    resultOf(transaction.objectStore('attempts').getAll()),
    resultOf(transaction.objectStore('requests').getAll()),
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
  return { queues: queues.sort(byPreference), unassigned: unassigned.sort(inLine) };
}

function queueOf(
  connection: Connection,
  record: QueueRecord | undefined,
  attempts: Attempt[],
  requests: Request[],
): Queue {
  const { state, budget } = record ?? newQueue(connection);
  const byFirstSend = (one: Attempt, other: Attempt) => one.firstSend.atService - other.firstSend.atService;
  return { connection, state, budget, attempts: attempts.sort(byFirstSend), requests: requests.sort(inLine) };
}

/** What has no key comes last, whatever was preferred: it may be what a file told of, which nothing goes to unasked. */
function byPreference(one: Queue, other: Queue): number {
  const keyless = ({ state }: Queue) => Number(state.halt === 'key_missing');
  return keyless(one) - keyless(other) || other.connection.preferredAt - one.connection.preferredAt;
}
