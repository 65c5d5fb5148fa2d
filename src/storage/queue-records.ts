import { newQueue } from '../queue/add-replace-delete-connection.ts';
import { sortByQueueOrder } from '../queue/queue-order.ts';
import type { Attempt, Connection, Group, Link, Queue, Request, VisibleQueues } from '../queue/types.ts';
import type { QueueRecord, ReadTransaction, StoreName, WriteTransaction } from './database.ts';
import { listedId } from './links.ts';

export const QUEUE_STORES: StoreName[] = ['connections', 'queues', 'attempts', 'requests'];

/** All queues, with the API key of each connection. */
export interface AllQueues extends VisibleQueues {
  apiKeys: ReadonlyMap<string, string>;
}

/** Reads all queues. */
export async function loadQueues(transaction: ReadTransaction): Promise<VisibleQueues> {
  const [connections, records, attempts, requests] = await Promise.all([
    transaction.objectStore('connections').getAll(),
    transaction.objectStore('queues').getAll(),
    transaction.objectStore('attempts').getAll(),
    transaction.objectStore('requests').getAll(),
  ]);
  const allAttempts = Map.groupBy(attempts, ({ connectionId }) => connectionId);
  const allRequests = Map.groupBy(requests, ({ connectionId }) => connectionId);
  const queues = connections.map((connection) => {
    const record = records.find(({ connectionId }) => connectionId === connection.id);
    return queueOf(connection, record, allAttempts.get(connection.id) ?? [], allRequests.get(connection.id) ?? []);
  });
  return { queues: queues.sort(byPreference) };
}

export async function loadApiKeys(transaction: ReadTransaction): Promise<ReadonlyMap<string, string>> {
  const store = transaction.objectStore('secrets');
  const [ids, keys] = await Promise.all([store.getAllKeys(), store.getAll()]);
  return new Map(ids.map((id, index) => [id, keys[index] ?? '']));
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
  await writeDifference(transaction.objectStore('requests'), requestsOf(before), requestsOf(after));
  await writeDifference(transaction.objectStore('attempts'), attemptsOf(before), attemptsOf(after));
  await writeApiKeys(transaction, before.apiKeys, after.apiKeys);
}

function requestsOf({ queues }: VisibleQueues): Request[] {
  return queues.flatMap(({ requests }) => requests);
}

function attemptsOf({ queues }: VisibleQueues): Attempt[] {
  return queues.flatMap(({ attempts }) => attempts);
}

interface RecordStore<T> {
  add: (value: T) => Promise<unknown>;
  put: (value: T) => Promise<unknown>;
  delete: (id: string) => Promise<unknown>;
}

/**
 * Writes the records that have changed. New records are written with `add`, which fails instead of overwriting a
 * record that has the same id in another queue.
 */
async function writeDifference<T extends { id: string }>(
  store: RecordStore<T>,
  before: T[],
  after: T[],
): Promise<void> {
  const gone = new Map(before.map((one) => [one.id, one]));
  const writes = after.map(async (one) => {
    const old = gone.get(one.id);
    gone.delete(one.id);
    if (one === old) return;
    await (old ? store.put(one) : store.add(one));
  });
  const deletions = [...gone.values()].map(({ id }) => store.delete(id));
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
export async function writeLinksAndGroups(
  transaction: WriteTransaction,
  links: Link[],
  gone: string[],
  groups: Group[],
): Promise<void> {
  await Promise.all([
    ...gone.map(async (id) => transaction.objectStore('links').delete(id)),
    ...groups.map(async (group) => transaction.objectStore('groups').put(group)),
    ...links.map((link) => writeLink(transaction, link)),
  ]);
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
