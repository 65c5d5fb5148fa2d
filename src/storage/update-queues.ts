import { type Finished, finishedBetween } from '../queue/results/finished-requests.ts';
import type { Group, Link, Queue, VisibleQueues } from '../queue/types.ts';
import type { ReadTransaction, StoreName, WriteTransaction } from './database.ts';
import { findLinks, type LinkLookup, withoutConnection } from './link-queries.ts';
import { loadQueues, loadView, QUEUE_STORES, type QueueCache } from './load-queues.ts';
import { assertFits, type PrivateMemory } from './private-memory.ts';
import { type Change, readAllByKey, updatePrivateMemory, writeChange, writeChangedByKey } from './save-queues.ts';

export const UPDATE_STORES: StoreName[] = [...QUEUE_STORES, 'links', 'groups', 'secrets'];

/** Pure function that returns the changed queue. If it returns the same queue and no links, nothing is written. */
export type QueueChange<T> = (queue: Queue, context: ChangeContext) => ChangedQueue<T>;

export interface ChangeContext {
  now: number;
  apiKey: string;
  /** Links of any connection that match the caller's lookup, including links from private windows. */
  knownLinks: Link[];
}

export interface ChangedQueue<T> {
  queue: Queue;
  links?: Link[];
  group?: Group;
  result: T;
}

export interface AllQueues extends VisibleQueues {
  apiKeys: Map<string, string>;
}

/** Pure function that returns all queues after a change. An omitted queue is deleted together with its connection. */
export type AllQueuesChange<T> = (all: AllQueues, now: number, knownLinks: Link[]) => ChangedQueues<T>;

export interface ChangedQueues<T> extends Omit<ChangedQueue<T>, 'queue'> {
  all: AllQueues;
}

/** Corrects a stored queue after the clock was changed or the background worker was stopped. */
export type Prepare = (queue: Queue, now: number) => Queue;

/** Result of an update whose transaction is not committed yet. */
export interface Written<T> {
  result: T;
  change: Change;
  finished: Finished[];
}

export async function updateQueue<T>(
  transaction: WriteTransaction,
  memory: PrivateMemory,
  { cache, prepare, clock }: { cache: QueueCache; prepare: Prepare; clock: () => number },
  connectionId: string,
  change: QueueChange<T>,
  lookup: LinkLookup,
): Promise<Written<T | null>> {
  const [stored] = await loadQueues(transaction, memory, cache, connectionId);
  const knownLinks = await findLinks(transaction, memory.links, lookup);
  const apiKey = await readApiKey(transaction, connectionId);
  const now = clock();
  const current = stored && prepare(stored, now);
  const changed = current && change(current, { now, apiKey, knownLinks });
  const written: Change = {
    before: { queues: stored ? [stored] : [], unassigned: [] },
    after: { queues: changed ? [changed.queue] : [], unassigned: [] },
    links: changed?.links ?? [],
    groups: changed?.group ? [changed.group] : [],
    revision: crypto.randomUUID(),
  };
  assertFits(memory, updatePrivateMemory(memory, written));
  await writeChange(transaction, written);
  const finished = stored && current ? finishedBetween(stored, current, [], now) : null;
  return { result: changed ? changed.result : null, change: written, finished: finished ? [finished] : [] };
}

export async function readApiKey(transaction: ReadTransaction, connectionId: string): Promise<string> {
  return (await transaction.objectStore('secrets').get(connectionId)) ?? '';
}

export async function updateAllQueues<T>(
  transaction: WriteTransaction,
  memory: PrivateMemory,
  { prepare, clock }: { prepare: Prepare; clock: () => number },
  change: AllQueuesChange<T>,
  lookup: LinkLookup,
): Promise<Written<T>> {
  const before = await loadView(transaction, memory);
  const knownLinks = await findLinks(transaction, memory.links, lookup);
  const apiKeys = await readAllByKey(transaction.objectStore('secrets'));
  const now = clock();
  const queues = before.queues.map((queue) => prepare(queue, now));
  const changed = change({ queues, unassigned: before.unassigned, apiKeys: new Map(apiKeys) }, now, knownLinks);
  // Requests from private windows are dropped if they no longer belong to a connection.
  const after = { ...changed.all, unassigned: changed.all.unassigned.filter((request) => !request.private) };
  const { links, gone } = await withoutConnection(transaction, memory.links, disconnectedIds(before, after));
  const written: Change = {
    before,
    after,
    links: [...links, ...(changed.links ?? [])],
    gone,
    groups: changed.group ? [changed.group] : [],
    revision: crypto.randomUUID(),
  };
  assertFits(memory, updatePrivateMemory(memory, written));
  await writeChange(transaction, written);
  await writeSecrets(transaction, apiKeys, after);
  const finished = before.queues.flatMap((queue, index) => {
    const current = queues[index];
    return (current && finishedBetween(queue, current, [], now)) ?? [];
  });
  return { result: changed.result, change: written, finished };
}

/**
 * Returns the ids of connections that were deleted or whose address changed. The stored links of such a connection no
 * longer belong to any connection.
 */
function disconnectedIds(before: VisibleQueues, after: VisibleQueues): string[] {
  const addresses = new Map(after.queues.map(({ connection }) => [connection.id, connection.baseUrl]));
  return before.queues
    .filter(({ connection }) => addresses.get(connection.id) !== connection.baseUrl)
    .map(({ connection }) => connection.id);
}

function writeSecrets(
  transaction: WriteTransaction,
  before: Map<string, string>,
  { queues, apiKeys }: AllQueues,
): Promise<void> {
  const ids = new Set(queues.map(({ connection }) => connection.id));
  const after = new Map([...apiKeys].filter(([id]) => ids.has(id)));
  return writeChangedByKey(transaction.objectStore('secrets'), before, after);
}
