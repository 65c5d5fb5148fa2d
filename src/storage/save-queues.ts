import type { Attempt, Request } from '../queue/types.ts';
import type { WriteTransaction } from './database.ts';
import type { PrivateMemory } from './private-memory.ts';
import type { QueuesView } from './view.ts';

/** Writes what differs. Rules never alter a record in place, so one that is the same object is the same. */
export function writeQueues(
  transaction: WriteTransaction,
  before: QueuesView,
  after: QueuesView,
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

/** Private memory with what differs; the same object where nothing does. */
export function rememberQueues(memory: PrivateMemory, before: QueuesView, after: QueuesView): PrivateMemory {
  const requests = remembered(memory.requests, requestsOf(before), requestsOf(after));
  const attempts = remembered(memory.attempts, attemptsOf(before), attemptsOf(after));
  const isSame = requests === memory.requests && attempts === memory.attempts;
  return isSame ? memory : { ...memory, requests, attempts };
}

type Kept = { id: string; private: boolean };

function requestsOf({ queues, unassigned }: QueuesView): Request[] {
  return [...queues.flatMap(({ requests }) => requests), ...unassigned];
}

function attemptsOf({ queues }: QueuesView): Attempt[] {
  return queues.flatMap(({ attempts }) => attempts);
}

interface RecordStore<T> {
  add: (value: T) => unknown;
  put: (value: T) => unknown;
  delete: (id: string) => unknown;
}

/** A record that is added must be new: one with its id in another queue would be overwritten, and lost. */
function writeDifference<T extends Kept>(store: RecordStore<T>, before: T[], after: T[]): void {
  // A thousand may wait in front of what is new, and stay as they are.
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

/** What memory keeps of private records once those `before` have become those `after`; the same list where nothing differs. */
export function remembered<T extends Kept>(memory: T[], before: T[], after: T[]): T[] {
  const isPrivate = (one: Kept) => one.private;
  const [old, next] = [before.filter(isPrivate), after.filter(isPrivate)];
  if (isSameList(old, next)) return memory;
  const ids = new Set([...old, ...next].map(({ id }) => id));
  return [...memory.filter(({ id }) => !ids.has(id)), ...next];
}

/** Whether nothing has changed. */
export function isSame(before: QueuesView, after: QueuesView): boolean {
  return isSameList(before.queues, after.queues) && isSameList(before.unassigned, after.unassigned);
}

function isSameList<T>(one: T[], other: T[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
