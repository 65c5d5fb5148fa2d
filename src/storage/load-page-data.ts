import { correctTimes } from '../queue/limits.ts';
import type { Link, VisibleQueues } from '../queue/types.ts';
import { type VisibleGroup, visibleGroup } from './bulk-groups.ts';
import { type Database, openDatabase, readIn } from './database.ts';
import { type LinkQuery, linkCounts, queryLinks } from './link-queries.ts';
import { loadQueues, QUEUE_STORES } from './queue-records.ts';

/* Reads the data that pages show from the database, so that the background worker does not have to start. */

/** Returns the queues. If the computer's clock was set back, corrects the times in the queues. */
export function readStoredQueues(now = Date.now()): Promise<VisibleQueues> {
  return reading(async (database) => {
    const { queues } = await readIn(database, QUEUE_STORES, loadQueues);
    return { queues: queues.map((queue) => correctTimes(queue, now)) };
  });
}

/** Returns the links that match a query. */
export function readLinks(query: LinkQuery = {}): Promise<Link[]> {
  return reading((database) => readIn(database, ['links'], (transaction) => queryLinks(transaction, query)));
}

/** Counts the stored links. */
export function countLinks(): ReturnType<typeof linkCounts> {
  return reading((database) => readIn(database, ['links'], linkCounts));
}

/** Reads a bulk list and its links. Returns null if the bulk list does not exist. */
export function readGroup(id: string): Promise<VisibleGroup | null> {
  return reading((database) => visibleGroup(database, id));
}

interface Shared {
  database: Promise<Database>;
  readers: number;
}

let shared: Shared | null = null;

async function reading<T>(read: (database: Database) => Promise<T>): Promise<T> {
  const mine = shared ?? share();
  mine.readers += 1;
  try {
    return await read(await mine.database);
  } finally {
    mine.readers -= 1;
    if (mine.readers === 0) close(mine);
  }
}

function share(): Shared {
  // A database that the browser has closed must not be shared anymore.
  const opened: Shared = { database: openDatabase(() => leave(opened)), readers: 0 };
  shared = opened;
  return opened;
}

function close(one: Shared): void {
  leave(one);
  // If the database could not be opened, each read has already thrown the error, so the error is ignored here.
  one.database.then(
    (database) => database.close(),
    () => undefined,
  );
}

function leave(one: Shared): void {
  if (shared === one) shared = null;
}
