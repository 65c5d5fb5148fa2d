import type { Attempt, Group, Link, Request, Time, VisibleQueues } from '../queue/types.ts';
import type { Changed } from './change-broadcast.ts';
import { resultOf, type WriteTransaction } from './database.ts';
import { listedId } from './merge-service-links.ts';
import type { PrivateMemory } from './private-memory.ts';

/** Writes the records that have changed. No code modifies a record in place, so an identical object is unchanged. */
export function writeQueues(
  transaction: WriteTransaction,
  before: VisibleQueues,
  after: VisibleQueues,
  { revision, latestTime }: { revision: string; latestTime: number },
): void {
  const connections = transaction.objectStore('connections');
  const queues = transaction.objectStore('queues');
  const gone = new Map(before.queues.map((queue) => [queue.connection.id, queue]));
  for (const queue of after.queues) {
    const { connection, budget } = queue;
    const old = gone.get(connection.id);
    gone.delete(connection.id);
    if (queue === old) continue;
    if (connection !== old?.connection) connections.put(connection);
    queues.put({ connectionId: connection.id, revision, state: { ...queue.state, latestTime }, budget });
  }
  for (const id of gone.keys()) {
    connections.delete(id);
    queues.delete(id);
  }
  writeDifference(transaction.objectStore('requests'), requestsOf(before), requestsOf(after));
  writeDifference(transaction.objectStore('attempts'), attemptsOf(before), attemptsOf(after));
}

/**
 * Returns the data of private windows after a change of queues. If that data is unchanged, returns the same object.
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
  add: (value: T) => unknown;
  put: (value: T) => unknown;
  delete: (id: string) => unknown;
}

/**
 * Writes the records that have changed. A new record must not overwrite a record with the same id in another queue.
 */
function writeDifference<T extends Kept>(store: RecordStore<T>, before: T[], after: T[]): void {
  // Skips the unchanged records at the start. A new request usually comes last, after up to a thousand others.
  const at = before.findIndex((one, index) => one !== after[index]);
  const from = at < 0 ? before.length : at;
  const gone = new Map(before.slice(from).map((one) => [one.id, one]));
  for (const one of after.slice(from)) {
    const old = gone.get(one.id);
    gone.delete(one.id);
    if (one.private || one === old) continue;
    if (old) store.put(one);
    else store.add(one);
  }
  for (const one of gone.values()) if (!one.private) store.delete(one.id);
}

/** Returns the records of private windows after a change. If they are unchanged, returns the same array. */
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

/** Writes a change, except data of private windows. */
export async function writeChange(transaction: WriteTransaction, change: Change, time: Time): Promise<void> {
  const { before, after, links, gone = [], groups, revision } = change;
  const store = transaction.objectStore('links');
  writeQueues(transaction, before, after, { revision, latestTime: time.now });
  for (const id of gone) store.delete(id);
  for (const group of groups) if (!group.private) transaction.objectStore('groups').put(group);
  for (const link of links) {
    if (link.private) continue;
    // A sync or an import may have stored the same link earlier.
    if (link.connectionId !== null) {
      store.delete(listedId(link.connectionId, link.shortCode));
      for (const { id, url, connectionId } of await resultOf(store.index('shortUrl').getAll(link.shortUrl)))
        if (connectionId === null && url === link.url) store.delete(id);
    }
    store.put(link);
  }
}

/** Returns the data of private windows after a change. If that data is unchanged, returns the same object. */
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

/* The functions below are for object stores whose records do not contain their key. */

interface Readable<T> {
  getAllKeys(): IDBRequest<string[]>;
  getAll(): IDBRequest<T[]>;
}

interface Writable<T> {
  put(value: T, key: string): IDBRequest;
  delete(key: string): IDBRequest;
}

export async function readAllByKey<T>(store: Readable<T>): Promise<Map<string, T>> {
  const [ids, values] = await Promise.all([resultOf(store.getAllKeys()), resultOf(store.getAll())]);
  return new Map(ids.map((id, index) => [id, values[index] as T]));
}

export function writeChangedByKey<T>(
  store: Writable<T>,
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): void {
  for (const [id, value] of after) if (before.get(id) !== value) store.put(value, id);
  for (const id of before.keys()) if (!after.has(id)) store.delete(id);
}
