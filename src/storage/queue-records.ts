import { sortByQueueOrder } from '../queue/sending.ts';
import type { Link, Queue, Request, RequestList, VisibleQueues } from '../queue/types.ts';
import { newQueue } from '../queue/user-actions.ts';
import type { ReadTransaction, StoreName, WriteTransaction } from './database.ts';
import { listedId } from './links.ts';

export const QUEUE_STORES: StoreName[] = ['connections', 'queues', 'requests'];

/** All queues, with the API key of each connection. */
export interface AllQueues extends VisibleQueues {
  apiKeys: ReadonlyMap<string, string>;
}

/** Reads all queues. */
export async function loadQueues(transaction: ReadTransaction): Promise<VisibleQueues> {
  const [connections, records, requests] = await Promise.all([
    transaction.objectStore('connections').getAll(),
    transaction.objectStore('queues').getAll(),
    transaction.objectStore('requests').getAll(),
  ]);
  const requestsById = Map.groupBy(requests, ({ connectionId }) => connectionId);
  const queues = connections.map((connection): Queue => {
    const { state, limits } =
      records.find(({ connectionId }) => connectionId === connection.id) ?? newQueue(connection);
    const requests = (requestsById.get(connection.id) ?? []).sort(sortByQueueOrder);
    return { connection, state, limits, requests };
  });
  return { queues: queues.sort(byPreference) };
}

export async function loadApiKeys(transaction: ReadTransaction): Promise<ReadonlyMap<string, string>> {
  const store = transaction.objectStore('secrets');
  const [ids, keys] = await Promise.all([store.getAllKeys(), store.getAll()]);
  return new Map(ids.map((id, index) => [id, keys[index] ?? '']));
}

/**
 * Sorts the default connection first, and connections without an API key last. Connections without an API key come
 * from an imported file and must not become the default.
 */
export function byPreference(one: Queue, other: Queue): number {
  const keyless = ({ state }: Queue) => Number(state.blocked === 'key_missing');
  return keyless(one) - keyless(other) || other.connection.preferredAt - one.connection.preferredAt;
}

/**
 * Writes the records that have changed. Records are never modified in place, so a record is unchanged if it is still
 * the same object.
 */
export async function writeQueues(transaction: WriteTransaction, before: AllQueues, after: AllQueues): Promise<void> {
  const connections = transaction.objectStore('connections');
  const queues = transaction.objectStore('queues');
  const gone = new Map(before.queues.map((queue) => [queue.connection.id, queue]));
  for (const queue of after.queues) {
    const { connection, state, limits } = queue;
    const old = gone.get(connection.id);
    gone.delete(connection.id);
    if (connection !== old?.connection) await connections.put(connection);
    if (state !== old?.state || limits !== old.limits) await queues.put({ connectionId: connection.id, state, limits });
  }
  for (const id of gone.keys()) {
    await connections.delete(id);
    await queues.delete(id);
  }
  await writeRequests(transaction, requestsOf(before), requestsOf(after));
  await writeApiKeys(transaction, before.apiKeys, after.apiKeys);
}

function requestsOf({ queues }: VisibleQueues): Request[] {
  return queues.flatMap(({ requests }) => requests);
}

/**
 * Writes the requests that have changed. New requests are written with `add`, which fails instead of overwriting a
 * request that has the same id in another queue.
 */
async function writeRequests(transaction: WriteTransaction, before: Request[], after: Request[]): Promise<void> {
  const store = transaction.objectStore('requests');
  const gone = new Map(before.map((request) => [request.id, request]));
  const writes = after.map(async (request) => {
    const old = gone.get(request.id);
    gone.delete(request.id);
    if (request === old) return;
    await (old ? store.put(request) : store.add(request));
  });
  // An async function, because the call itself may throw while other writes are pending.
  const deletions = [...gone.keys()].map(async (id) => store.delete(id));
  await Promise.all([...writes, ...deletions]);
}

async function writeApiKeys(
  transaction: WriteTransaction,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Promise<void> {
  const store = transaction.objectStore('secrets');
  for (const [id, apiKey] of after) if (before.get(id) !== apiKey) await store.put(apiKey, id);
  for (const id of before.keys()) if (!after.has(id)) await store.delete(id);
}

/** Writes new and changed links and bulk lists. */
export async function writeLinksAndLists(
  transaction: WriteTransaction,
  links: Link[],
  gone: string[],
  lists: RequestList[],
): Promise<void> {
  await Promise.all([
    ...gone.map(async (id) => transaction.objectStore('links').delete(id)),
    ...lists.map((list) => writeList(transaction, list)),
    ...links.map((link) => writeLink(transaction, link)),
  ]);
}

/** Writes a bulk list. If its page did not receive the first reply, it may send the list again with other URLs. */
async function writeList(transaction: WriteTransaction, list: RequestList): Promise<void> {
  const store = transaction.objectStore('lists');
  const stored = await store.get(list.id);
  const ids = new Set([...(stored?.ids ?? []), ...list.ids]);
  await store.put({ ...list, ids: [...ids] });
}

async function writeLink(transaction: WriteTransaction, link: Link): Promise<void> {
  const store = transaction.objectStore('links');
  // Deletes duplicates of the link that a sync or an import has stored.
  if (link.connectionId !== null) {
    const connection = await transaction.objectStore('connections').get(link.connectionId);
    if (connection) await store.delete(listedId(connection, link));
    for (const { id, url, connectionId } of await store.index('shortUrl').getAll(link.shortUrl))
      if (connectionId === null && url === link.url) await store.delete(id);
  }
  await store.put(link);
}
