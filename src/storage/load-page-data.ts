import { correctTimes } from '../queue/limits.ts';
import type { Link, VisibleQueues } from '../queue/types.ts';
import { type VisibleGroup, visibleGroup } from './bulk-groups.ts';
import { type Database, openDatabase, readIn } from './database.ts';
import { type LinkQuery, linkCounts, queryLinks } from './link-queries.ts';
import { loadView, QUEUE_STORES } from './load-queues.ts';
import { NOTHING_PRIVATE, type PrivateMemory, readPrivate } from './private-memory.ts';

/*
 * Reads the data that pages show. Requests and links from private windows are returned only to pages in private
 * windows.
 */

/** Returns all queues. If the computer's clock was set back, corrects the times in the queues. */
export async function visibleQueues(
  database: Database,
  memory: PrivateMemory,
  isPrivate: boolean,
  now: number,
): Promise<VisibleQueues> {
  const { queues, unassigned } = await readIn(database, QUEUE_STORES, (transaction) => loadView(transaction, memory));
  const isVisible = (one: { private: boolean }) => isPrivate || !one.private;
  return {
    queues: queues
      .map((queue) => correctTimes(queue, now))
      .map((queue) => ({
        ...queue,
        attempts: queue.attempts.filter(isVisible),
        requests: queue.requests.filter(isVisible),
      })),
    unassigned,
  };
}

/**
 * Returns the links that match a query. Links from private windows come first. Both groups are sorted newest first.
 */
export function visibleLinks(
  database: Database,
  memory: PrivateMemory,
  isPrivate: boolean,
  query: LinkQuery,
): Promise<Link[]> {
  const remembered = isPrivate ? memory.links : [];
  return readIn(database, ['links'], (transaction) => queryLinks(transaction, remembered, query));
}

/*
 * The functions below are for pages. They open the database directly, so that the background worker does not have to
 * start.
 */

export function readVisibleQueues(isPrivate: boolean, now = Date.now()): Promise<VisibleQueues> {
  return reading(isPrivate, (database, memory) => visibleQueues(database, memory, isPrivate, now));
}

export function readVisibleLinks(isPrivate: boolean, query: LinkQuery = {}): Promise<Link[]> {
  return reading(isPrivate, (database, memory) => visibleLinks(database, memory, isPrivate, query));
}

/** Counts the stored links, which do not include links from private windows. */
export function countVisibleLinks(): ReturnType<typeof linkCounts> {
  return reading(false, (database) => readIn(database, ['links'], linkCounts));
}

/** Reads a bulk list and its links. Returns null if the bulk list does not exist. */
export function readVisibleGroup(isPrivate: boolean, id: string): Promise<VisibleGroup | null> {
  return reading(isPrivate, (database, memory) => visibleGroup(database, memory, isPrivate, id));
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
