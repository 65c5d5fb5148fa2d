import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { lockFile } from '../files/file-lock.ts';
import { lockPath } from '../files/owned-folder.ts';
import { errorText } from '../log/error-text.ts';
import { createThrottledLog } from '../log/throttled-log.ts';
import { openClickStore } from '../store/open.ts';
import type { WriteLock } from '../store/write-lock.ts';
import { createClassifier } from './classify.ts';
import { type Counting, createCounting } from './counting.ts';
import { journalFolder, journalsIn } from './folders.ts';
import type { FromThread, ThreadData, ToThread } from './messages.ts';

/**
 * The thread that counts clicks: it reads the journals and writes sums into the store, over a connection of its own.
 * Redirects come first: it runs at a lower priority, and after each round it rests many times as long as it worked, less
 * where much is waiting.
 */
const port = parentPort as MessagePort;
const { database, directory, identity, journal, needsLock } = workerData as ThreadData;

/** In milliseconds, and times of the work before; `halvedBy` so many bytes that wait. */
const REST = { least: 500, most: 15_000, times: 40, halvedBy: 8 * 2 ** 20 };

const ASIDE =
  'a file of clicks cannot be read and was put aside: a power cut leaves such, and then it can be deleted; a later version of Terse may read its own';

/** With the database away each round fails; one line in the log for so long is enough, in milliseconds. */
const TELL_EVERY = 60_000;

// On Linux this is the thread's own priority, elsewhere it would be the whole process's.
if (process.platform === 'linux') setPriority(10);

const say = (message: FromThread): void => port.postMessage(message);
const failures = createThrottledLog(TELL_EVERY, (times, error) => {
  // As a text, since what is thrown does not come through between threads as it is.
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

/** Counts the journals that dead processes left behind, each for itself. */
async function countOrphans(): Promise<void> {
  for (const orphan of journalsIn(directory, identity)) {
    if (orphan !== journal) await countOrphan(orphan).catch((error) => tellOnce(orphan, error));
  }
}

/** Whoever is alive holds the lock of its journal. */
async function countOrphan(orphan: string): Promise<void> {
  const unlock = lockFile(lockPath(journalFolder(directory, identity, orphan)));
  if (!unlock) return;
  try {
    await counting(orphan).finish();
  } finally {
    unlock();
  }
}

/** What is in the way of an orphan may be there for ever, and it is tried again each minute. */
function tellOnce(orphan: string, error: unknown): void {
  // Another process was counting it, and has just removed it.
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
