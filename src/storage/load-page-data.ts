import { correctTimes } from '../queue/limits.ts';
import type { Link, VisibleQueues } from '../queue/types.ts';
import { type VisibleGroup, visibleGroup } from './bulk-groups.ts';
import { type Database, openDatabase, readIn } from './database.ts';
import { type LinkQuery, linkCounts, queryLinks } from './link-queries.ts';
import { NOTHING_PRIVATE, type PrivateMemory, readPrivate } from './private-memory.ts';
import { loadQueues, QUEUE_STORES } from './queue-records.ts';

/*
 * Reads the data that pages show. Requests and links from private windows are returned only to pages in private
 * windows.
 */

/**
 * Returns the queues that a page may show. If the computer's clock was set back, corrects the times in the queues.
 */
export function visibleOf({ queues }: VisibleQueues, isPrivate: boolean, now: number): VisibleQueues {
  const isVisible = (one: { private: boolean }) => isPrivate || !one.private;
  return {
    queues: queues
      .map((queue) => correctTimes(queue, now))
      .map((queue) => ({
        ...queue,
        attempts: queue.attempts.filter(isVisible),
        requests: queue.requests.filter(isVisible),
      })),
  };
}

/** Returns the links that match a query. `remembered` are the links from private windows that the page may show. */
export function visibleLinks(database: Database, remembered: Link[], query: LinkQuery): Promise<Link[]> {
  return readIn(database, ['links'], (transaction) => queryLinks(transaction, remembered, query));
}

/*
 * The functions below are for pages. They open the database directly, so that the background worker does not have to
 * start.
 */

export function readVisibleQueues(isPrivate: boolean, now = Date.now()): Promise<VisibleQueues> {
  return reading(isPrivate, async (database, memory) => {
    const all = await readIn(database, QUEUE_STORES, (transaction) => loadQueues(transaction, memory));
    return visibleOf(all, isPrivate, now);
  });
}

export function readVisibleLinks(isPrivate: boolean, query: LinkQuery = {}): Promise<Link[]> {
  return reading(isPrivate, (database, memory) => visibleLinks(database, memory.links, query));
}

/** Counts the stored links, which do not include links from private windows. */
export function countVisibleLinks(): ReturnType<typeof linkCounts> {
  return reading(false, (database) => readIn(database, ['links'], linkCounts));
}

/** Reads a bulk list and its links. Returns null if the bulk list does not exist. */
export function readVisibleGroup(isPrivate: boolean, id: string): Promise<VisibleGroup | null> {
  return reading(isPrivate, (database, memory) => visibleGroup(database, memory, id));
}

interface Shared {
  database: Promise<Database>;
  readers: number;
}

let shared: Shared | null = null;

async function reading<T>(
  isPrivate: boolean,
  read: (database: Database, memory: PrivateMemory) => Promise<T>,
): Promise<T> {
  const mine = shared ?? share();
  mine.readers += 1;
  try {
    const [memory, database] = await Promise.all([isPrivate ? readPrivate() : NOTHING_PRIVATE, mine.database]);
    return await read(database, memory);
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
