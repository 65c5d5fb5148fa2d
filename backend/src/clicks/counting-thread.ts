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
 * Thread that counts clicks: reads journals and writes sums into the store over a separate connection. Redirects have
 * priority: the thread runs at low priority, and after each round it rests many times as long as it worked. It rests
 * less if many clicks are waiting.
 */
const port = parentPort as MessagePort;
const { database, directory, identity, journal, needsLock } = workerData as ThreadData;

/**
 * Rest between rounds: bounds in milliseconds, and a factor of the previous round's duration, which is halved if
 * `halvedBy` bytes are waiting.
 */
const REST = { least: 500, most: 15_000, times: 40, halvedBy: 8 * 2 ** 20 };

const ASIDE =
  'a file of clicks cannot be read and was put aside: a power cut leaves such, and then it can be deleted; a later version of Terse may read its own';

/**
 * Milliseconds between two log lines of a failing round, because every round fails while the database is unreachable.
 */
const LOG_INTERVAL_MS = 60_000;

// On Linux this sets the priority of the thread, elsewhere that of the whole process.
if (process.platform === 'linux') setPriority(10);

const say = (message: FromThread): void => port.postMessage(message);
const failures = createThrottledLog(LOG_INTERVAL_MS, (times, error) => {
  // As text, because an error loses its details when it is sent to another thread.
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

/** Counts the journals of dead processes. A failure does not stop the others. */
async function countOrphans(): Promise<void> {
  for (const orphan of journalsIn(directory, identity)) {
    if (orphan === journal) continue;
    const folder = journalFolder(directory, identity, orphan);
    await countUnlessWritten(folder, () => counting(orphan)).catch((error) => reportOnce(orphan, error));
  }
}

/** Logged once, because the cause may be permanent and counting is retried every minute. */
function reportOnce(orphan: string, error: unknown): void {
  // Another process has just counted and removed it.
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

/** A failure leaves the journal unchanged, and the next round tries again. */
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

/** Start parameters of the counting thread. */
export interface ThreadData {
  database: DatabaseAddress;
  directory: string;
  /** Identity of the database. */
  identity: string;
  /** Journal that this process is writing. */
  journal: string;
  /** True if the engine allows only one writer, so that the write lock must be requested. */
  needsLock: boolean;
}

export type ToThread =
  /** The requested write lock was granted. */
  | { type: 'lock-granted' }
  /** Count everything written so far, including journals of dead processes, and report when it is done. */
  | { type: 'count'; id: number }
  /** End the thread. If `finish` is true, count and remove this process's journal first. */
  | { type: 'stop'; finish: boolean };

export type FromThread =
  | { type: 'lock-wanted' }
  | { type: 'lock-released' }
  | { type: 'removed'; bytes: number }
  | { type: 'counted'; id: number }
  | { type: 'log'; level: 'info' | 'warn' | 'error'; message: string; fields: Record<string, unknown> };
