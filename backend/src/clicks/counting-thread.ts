import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { errorText } from '../log/json-log.ts';
import { createThrottledLog } from '../log/throttled-log.ts';
import type { WriteLock } from '../store/interface/write-lock-between-threads.ts';
import { type DatabaseAddress, openClickStore } from '../store/open-store.ts';
import { createClassifier } from './classify-click.ts';
import { type Counting, countUnlessWritten, createCounting } from './count-clicks-from-journal.ts';
import { journalFolder, journalsIn } from './journal-files.ts';

/**
 * This file runs in a worker thread. It reads recorded clicks from files and adds them to the counts in the database.
 *
 * Redirects are more important than counting. The thread therefore has a low priority and pauses much longer than it
 * works. The pauses are shorter if many clicks have not been counted yet.
 */
const port = parentPort as MessagePort;
const { database, directory, identity, journal, needsLock } = workerData as ThreadData;

/**
 * Settings for the pause after each round of counting. The length of the pause is the CPU time of the round
 * multiplied by `times`, but at least `min` and at most `max` milliseconds. If `halvedBy` bytes of clicks are
 * uncounted, the pause is half as long.
 */
const PAUSE = { min: 500, max: 15_000, times: 40, halvedBy: 8 * 2 ** 20 };

const UNREADABLE_FILE =
  'a file with recorded clicks cannot be read and was moved to the folder "unreadable"; delete it after a power failure; keep it if a newer version of Terse has written it';

/**
 * Minimum time in milliseconds between two log lines about failed counting. While the database is unreachable, every
 * attempt fails.
 */
const LOG_INTERVAL_MS = 60_000;

// Lowers the priority of this thread on Linux. On other systems, the same call would affect the whole process.
if (process.platform === 'linux') setPriority(10);

const send = (message: FromThread): void => port.postMessage(message);
const failures = createThrottledLog(LOG_INTERVAL_MS, (times, error) => {
  // Sends the error as text, because error objects lose details when they are sent to another thread.
  const fields = { times, error: errorText(error) };
  send({ type: 'log', level: 'error', message: 'clicks could not be counted and are counted later', fields });
});
const classify = createClassifier();
const writeLock = needsLock ? createRemoteLock() : null;
const store = await openClickStore(database, writeLock);
const own = counting(journal);

const loggedReasons = new Map<string, string>();
let requestedIds: number[] = [];
let wake = (): void => {};
let stopping: 'no' | 'at-once' | 'finished' = 'no';

port.on('message', (message: ToThread) => {
  if (message.type === 'count') requestedIds.push(message.id);
  if (message.type === 'stop') stopping = message.finish ? 'finished' : 'at-once';
  if (message.type !== 'lock-granted') wake();
});

while (stopping === 'no') {
  const currentIds = requestedIds;
  requestedIds = [];
  const before = process.threadCpuUsage();
  await attempt(() => own.count());
  if (currentIds.length > 0) await attempt(countAbandonedJournals);
  for (const id of currentIds) send({ type: 'counted', id });
  const { user, system } = process.threadCpuUsage(before);
  const cpuTime = (user + system) / 1000;
  const times = PAUSE.times / (1 + uncountedBytes() / PAUSE.halvedBy);
  await pause(Math.min(PAUSE.max, Math.max(PAUSE.min, cpuTime * times)));
}
if (stopping === 'finished') await attempt(() => own.finish());
await store.close();
port.close();

/**
 * Counts clicks left behind by other processes. If this fails for one process, counting continues with the next one.
 */
async function countAbandonedJournals(): Promise<void> {
  for (const abandoned of journalsIn(directory, identity)) {
    if (abandoned === journal) continue;
    const folder = journalFolder(directory, identity, abandoned);
    await countUnlessWritten(folder, () => counting(abandoned)).catch((error) => reportOnce(abandoned, error));
  }
}

/** Logs each failure only once. Counting is retried every minute and would probably fail for the same reason. */
function reportOnce(abandoned: string, error: unknown): void {
  // If the folder is missing, another process has counted the clicks and deleted the folder.
  if (!existsSync(journalFolder(directory, identity, abandoned))) return;
  if (loggedReasons.get(abandoned) === String(error)) return;
  loggedReasons.set(abandoned, String(error));
  const fields = { journal: abandoned, error: errorText(error) };
  send({
    type: 'log',
    level: 'error',
    message: 'clicks of a process that has ended could not be counted and are retried every minute',
    fields,
  });
}

function counting(id: string): Counting {
  const folder = journalFolder(directory, identity, id);
  return createCounting({
    clicks: store.clicks,
    classify,
    folder,
    journal: id,
    onRemoved(bytes, incompleteBytes) {
      if (id === journal) send({ type: 'removed', bytes });
      const fields = { journal: id, bytes: incompleteBytes };
      if (incompleteBytes > 0)
        send({
          type: 'log',
          level: 'warn',
          message: 'a file with recorded clicks has an incomplete end, which was not counted',
          fields,
        });
    },
    onUnreadable(file, bytes) {
      if (id === journal) send({ type: 'removed', bytes });
      send({ type: 'log', level: 'warn', message: UNREADABLE_FILE, fields: { file, bytes } });
    },
  });
}

/** Runs an action and logs any failure. Clicks that could not be counted stay in their files and are counted later. */
async function attempt(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    failures.add(1, error);
  }
}

function uncountedBytes(): number {
  try {
    return own.uncountedBytes();
  } catch {
    return 0;
  }
}

function pause(milliseconds: number): Promise<void> {
  if (requestedIds.length > 0 || stopping !== 'no') return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

function createRemoteLock(): WriteLock {
  const writes: (() => void)[] = [];
  port.on('message', ({ type }: ToThread) => {
    if (type !== 'lock-granted') return;
    try {
      writes.shift()?.();
    } finally {
      send({ type: 'lock-released' });
    }
  });
  return {
    take(write) {
      writes.push(write);
      send({ type: 'lock-wanted' });
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
  | { type: 'lock-granted' }
  /** Asks the thread to count all clicks recorded so far, including those left behind by other processes. */
  | { type: 'count'; id: number }
  /** Ends the counting thread. If `finish` is true, the thread counts the remaining clicks of this process first. */
  | { type: 'stop'; finish: boolean };

export type FromThread =
  | { type: 'lock-wanted' }
  | { type: 'lock-released' }
  | { type: 'removed'; bytes: number }
  | { type: 'counted'; id: number }
  | { type: 'log'; level: 'info' | 'warn' | 'error'; message: string; fields: Record<string, unknown> };
