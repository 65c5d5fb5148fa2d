import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { errorText } from '../log/json-log.ts';
import { createThrottledLog } from '../log/throttled-log.ts';
import type { WriteLock } from '../store/interface/write-lock.ts';
import { type DatabaseAddress, openClickStore } from '../store/open-store.ts';
import { createClassifier } from './classify-click.ts';
import { type Counting, createCounting, finishUnlessWritten } from './count-clicks-from-journal.ts';
import { journalFolder, journalsIn } from './journal-files.ts';

/**
 * The thread that counts clicks: it reads the journals and writes sums into the store, over its own connection.
 * Redirects come first: the thread runs at a lower priority, and after each round it rests many times as long as it worked.
 * It rests less when many clicks are waiting.
 */
const port = parentPort as MessagePort;
const { database, directory, identity, journal, needsLock } = workerData as ThreadData;

/** In milliseconds, and as a multiple of the work before, which is halved when `halvedBy` bytes are waiting. */
const REST = { least: 500, most: 15_000, times: 40, halvedBy: 8 * 2 ** 20 };

const ASIDE =
  'a file of clicks cannot be read and was put aside: a power cut leaves such, and then it can be deleted; a later version of Terse may read its own';

/** While the database is away every round fails; one line in the log per minute is enough. In milliseconds. */
const REPORT_EVERY = 60_000;

// On Linux this sets the thread's own priority; elsewhere it would set the whole process's.
if (process.platform === 'linux') setPriority(10);

const say = (message: FromThread): void => port.postMessage(message);
const failures = createThrottledLog(REPORT_EVERY, (times, error) => {
  // As text, since an error loses its details on the way to another thread.
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

/** Counts the journals that dead processes left behind. One that fails does not stop the others. */
async function countOrphans(): Promise<void> {
  for (const orphan of journalsIn(directory, identity)) {
    if (orphan === journal) continue;
    const folder = journalFolder(directory, identity, orphan);
    await finishUnlessWritten(folder, () => counting(orphan)).catch((error) => reportOnce(orphan, error));
  }
}

/** Whatever stops an orphan from being counted may last for ever, and it is tried again every minute. */
function reportOnce(orphan: string, error: unknown): void {
  // Another process counted it and has just removed it.
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

/** A failure leaves the journal as it is; the next round tries again. */
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

/** What the counting thread is started with. */
export interface ThreadData {
  database: DatabaseAddress;
  directory: string;
  /** The database's own. */
  identity: string;
  /** The journal of this process, which is being written. */
  journal: string;
  /** Whether the engine takes one writer at a time, so that the write lock must be asked for. */
  needsLock: boolean;
}

export type ToThread =
  /** The write lock that was asked for. */
  | { type: 'lock-granted' }
  /** Count what there is by now, also what dead processes left, and say when it is done. */
  | { type: 'count'; id: number }
  /** End; where `finish` says so, count this process's journal to its end before, and remove it. */
  | { type: 'stop'; finish: boolean };

export type FromThread =
  | { type: 'lock-wanted' }
  | { type: 'lock-released' }
  | { type: 'removed'; bytes: number }
  | { type: 'counted'; id: number }
  | { type: 'log'; level: 'info' | 'warn' | 'error'; message: string; fields: Record<string, unknown> };
