import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { errorText } from '../log/json-log.ts';
import { createThrottledLog } from '../log/throttled-log.ts';
import type { WriteLock } from '../store/interface/write-lock.ts';
import { type DatabaseAddress, openClickStore } from '../store/open-store.ts';
import { createClassifier } from './classify-click.ts';
import { type Counting, countUnlessWritten, createCounting } from './count-clicks-from-journal.ts';
import { journalFolder, journalsIn } from './journal-files.ts';

/**
 * Thread that counts clicks. It reads recorded clicks from files and writes their sums to the database.
 *
 * Redirects are more important than counting. The thread therefore has a low priority and pauses much longer than it
 * works. The pauses are shorter if many clicks are waiting.
 */
const port = parentPort as MessagePort;
const { database, directory, identity, journal, needsLock } = workerData as ThreadData;

/**
 * Length of the pause after each round of counting: `times` as long as the round, but between `least` and `most`
 * milliseconds. The pause is halved if `halvedBy` bytes of recorded clicks are waiting.
 */
const REST = { least: 500, most: 15_000, times: 40, halvedBy: 8 * 2 ** 20 };

const ASIDE =
  'a file of clicks cannot be read and was put aside: a power cut leaves such, and then it can be deleted; a later version of Terse may read its own';

/**
 * Milliseconds between two log lines about failed counting. While the database is unreachable, every attempt to count
 * fails.
 */
const LOG_INTERVAL_MS = 60_000;

// Lowers the priority of this thread on Linux. On other systems, the same call would affect the whole process.
if (process.platform === 'linux') setPriority(10);

const say = (message: FromThread): void => port.postMessage(message);
const failures = createThrottledLog(LOG_INTERVAL_MS, (times, error) => {
  // Sends the error as text, because error objects lose details when they are sent to another thread.
  const fields = { times, error: errorText(error) };
  say({ type: 'log', level: 'error', message: 'clicks could not be counted', fields });
});
const classify = createClassifier();
const writeLock = needsLock ? borrowedLock() : null;
const store = await openClickStore(database, writeLock);
const own = counting(journal);

const reasons = new Map<string, string>();
let asked: number[] = [];
let wake = (): void => {};
let stopping: 'no' | 'at-once' | 'finished' = 'no';

port.on('message', (message: ToThread) => {
  if (message.type === 'count') asked.push(message.id);
  if (message.type === 'stop') stopping = message.finish ? 'finished' : 'at-once';
  if (message.type !== 'lock-granted') wake();
});

while (stopping === 'no') {
  const answered = asked;
  asked = [];
  const before = process.threadCpuUsage();
  await attempt(() => own.count());
  if (answered.length > 0) await attempt(countOrphans);
  for (const id of answered) say({ type: 'counted', id });
  const { user, system } = process.threadCpuUsage(before);
  const worked = (user + system) / 1000;
  const times = REST.times / (1 + waiting() / REST.halvedBy);
  await rest(Math.min(REST.most, Math.max(REST.least, worked * times)));
}
if (stopping === 'finished') await attempt(() => own.finish());
await store.close();
port.close();

/**
 * Counts clicks that other processes have left behind. A failure for one process does not affect the clicks of the
 * next.
 */
async function countOrphans(): Promise<void> {
  for (const orphan of journalsIn(directory, identity)) {
    if (orphan === journal) continue;
    const folder = journalFolder(directory, identity, orphan);
    await countUnlessWritten(folder, () => counting(orphan)).catch((error) => reportOnce(orphan, error));
  }
}

/** Logs each failure only once, because counting is retried every minute and would probably fail again. */
function reportOnce(orphan: string, error: unknown): void {
  // Another process has already counted the clicks and deleted their folder.
  if (!existsSync(journalFolder(directory, identity, orphan))) return;
  if (reasons.get(orphan) === String(error)) return;
  reasons.set(orphan, String(error));
  const fields = { journal: orphan, error: errorText(error) };
  say({ type: 'log', level: 'error', message: 'clicks that a dead process left could not be counted', fields });
}

function counting(id: string): Counting {
  const folder = journalFolder(directory, identity, id);
  return createCounting({
    clicks: store.clicks,
    classify,
    folder,
    journal: id,
    onRemoved(bytes, torn) {
      if (id === journal) say({ type: 'removed', bytes });
      const fields = { journal: id, bytes: torn };
      if (torn > 0) say({ type: 'log', level: 'warn', message: 'a journal of clicks ends in a torn record', fields });
    },
    onAside(file, bytes) {
      if (id === journal) say({ type: 'removed', bytes });
      say({ type: 'log', level: 'warn', message: ASIDE, fields: { file, bytes } });
    },
  });
}

/** Runs an action and logs any failure. No clicks are lost, because the next round tries again to count them. */
async function attempt(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    failures.add(1, error);
  }
}

function waiting(): number {
  try {
    return own.waiting();
  } catch {
    return 0;
  }
}

function rest(milliseconds: number): Promise<void> {
  if (asked.length > 0 || stopping !== 'no') return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

function borrowedLock(): WriteLock {
  const writes: (() => void)[] = [];
  port.on('message', ({ type }: ToThread) => {
    if (type !== 'lock-granted') return;
    try {
      writes.shift()?.();
    } finally {
      say({ type: 'lock-released' });
    }
  });
  return {
    take(write) {
      writes.push(write);
      say({ type: 'lock-wanted' });
    },
  };
}

export interface ThreadData {
  database: DatabaseAddress;
  directory: string;
  identity: string;
  /** Name of the folder in which this process records clicks. */
  journal: string;
  /**
   * True if the database allows only one writer at a time. The thread must then request the write lock from the main
   * thread.
   */
  needsLock: boolean;
}

export type ToThread =
  /** Grants the write lock that the counting thread has requested. */
  | { type: 'lock-granted' }
  /** Requests that all clicks recorded so far be counted, including those that other processes have left behind. */
  | { type: 'count'; id: number }
  /** Ends the counting thread. If `finish` is true, the thread counts the remaining clicks of this process first. */
  | { type: 'stop'; finish: boolean };

export type FromThread =
  | { type: 'lock-wanted' }
  | { type: 'lock-released' }
  | { type: 'removed'; bytes: number }
  | { type: 'counted'; id: number }
  | { type: 'log'; level: 'info' | 'warn' | 'error'; message: string; fields: Record<string, unknown> };
