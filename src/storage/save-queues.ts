import type { Attempt, Group, Link, Request, VisibleQueues } from '../queue/types.ts';
import type { Changed } from './change-broadcast.ts';
import type { WriteTransaction } from './database.ts';
import { listedId } from './merge-service-links.ts';
import type { PrivateMemory } from './private-memory.ts';

/**
 * Writes the records that have changed. Records are never modified in place, so a record is unchanged if it is still
 * the same object.
 */
export async function writeQueues(
  transaction: WriteTransaction,
  before: VisibleQueues,
  after: VisibleQueues,
  revision: string,
): Promise<void> {
  const connections = transaction.objectStore('connections');
  const queues = transaction.objectStore('queues');
  const gone = new Map(before.queues.map((queue) => [queue.connection.id, queue]));
  for (const queue of after.queues) {
    const { connection, limits } = queue;
    const old = gone.get(connection.id);
    gone.delete(connection.id);
    if (queue === old) continue;
    if (connection !== old?.connection) await connections.put(connection);
    await queues.put({ connectionId: connection.id, revision, state: queue.state, limits });
  }
  for (const id of gone.keys()) {
    await connections.delete(id);
    await queues.delete(id);
  }
  await writeDifference(transaction.objectStore('requests'), requestsOf(before), requestsOf(after));
  await writeDifference(transaction.objectStore('attempts'), attemptsOf(before), attemptsOf(after));
}

/**
 * Returns the data from private windows after queues have changed. If that data is unchanged, returns the same
 * object.
 */
export function updatePrivateQueues(memory: PrivateMemory, before: VisibleQueues, after: VisibleQueues): PrivateMemory {
  const requests = updatePrivateRecords(memory.requests, requestsOf(before), requestsOf(after));
  const attempts = updatePrivateRecords(memory.attempts, attemptsOf(before), attemptsOf(after));
  const isSame = requests === memory.requests && attempts === memory.attempts;
  return isSame ? memory : { ...memory, requests, attempts };
}

type Kept = { id: string; private: boolean };

function requestsOf({ queues, unassigned }: VisibleQueues): Request[] {
  return [...queues.flatMap(({ requests }) => requests), ...unassigned];
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
async function writeDifference<T extends Kept>(store: RecordStore<T>, before: T[], after: T[]): Promise<void> {
  // Skips all records before the first change. New requests are usually at the end of a long list.
  const at = before.findIndex((one, index) => one !== after[index]);
  const from = at < 0 ? before.length : at;
  const gone = new Map(before.slice(from).map((one) => [one.id, one]));
  const writes = after.slice(from).map(async (one) => {
    const old = gone.get(one.id);
    gone.delete(one.id);
    if (one.private || one === old) return;
    await (old ? store.put(one) : store.add(one));
  });
  const deletions = [...gone.values()].map(async (one) => one.private || store.delete(one.id));
  await Promise.all([...writes, ...deletions]);
}

/** Applies a change to the records from private windows. Returns the same array if none of these records changed. */
export function updatePrivateRecords<T extends Kept>(memory: T[], before: T[], after: T[]): T[] {
  const isPrivate = (one: Kept) => one.private;
  const [old, next] = [before.filter(isPrivate), after.filter(isPrivate)];
  if (isSameList(old, next)) return memory;
  const ids = new Set([...old, ...next].map(({ id }) => id));
  return [...memory.filter(({ id }) => !ids.has(id)), ...next];
}

export function isSame(before: VisibleQueues, after: VisibleQueues): boolean {
  return isSameList(before.queues, after.queues) && isSameList(before.unassigned, after.unassigned);
}

function isSameList<T>(one: T[], other: T[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

export interface Change {
  before: VisibleQueues;
  after: VisibleQueues;
  links: Link[];
  gone?: string[];
  groups: Group[];
  revision: string;
}

/** Writes changed queues, links and bulk lists to the database. Data from private windows is not written. */
export async function writeChange(transaction: WriteTransaction, change: Change): Promise<void> {
  const { before, after, links, gone = [], groups, revision } = change;
  const [linkStore, groupStore] = [transaction.objectStore('links'), transaction.objectStore('groups')];
  const isOnDisk = (one: Link | Group) => !one.private;
  await writeQueues(transaction, before, after, revision);
  await Promise.all([
    ...gone.map(async (id) => linkStore.delete(id)),
    ...groups.filter(isOnDisk).map(async (group) => groupStore.put(group)),
    ...links.filter(isOnDisk).map((link) => writeLink(transaction, link)),
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

/** Returns the data from private windows after a change. If that data is unchanged, returns the same object. */
export function updatePrivateMemory(memory: PrivateMemory, { before, after, links, groups }: Change): PrivateMemory {
  const next = updatePrivateQueues(memory, before, after);
  const fresh = {
    links: updatePrivateRecords(next.links, [], links),
    groups: updatePrivateRecords(next.groups, [], groups),
  };
  return fresh.links === next.links && fresh.groups === next.groups ? next : { ...next, ...fresh };
}

export function changeNotice({ before, after, links, gone = [] }: Change): Changed {
  return { queues: !isSame(before, after), links: links.length + gone.length > 0, added: links };
}

/* The functions below are for object stores whose records do not contain their own keys. */

interface Readable<T> {
  getAllKeys(): Promise<string[]>;
  getAll(): Promise<T[]>;
}

interface Writable<T> {
  put(value: T, key: string): Promise<unknown>;
  delete(key: string): Promise<unknown>;
}

export async function readAllByKey<T>(store: Readable<T>): Promise<Map<string, T>> {
  const [ids, values] = await Promise.all([store.getAllKeys(), store.getAll()]);
  return new Map(ids.map((id, index) => [id, values[index] as T]));
}

export async function writeChangedByKey<T>(
  store: Writable<T>,
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): Promise<void> {
  for (const [id, value] of after) if (before.get(id) !== value) await store.put(value, id);
  for (const id of before.keys()) if (!after.has(id)) await store.delete(id);
}
