import { withClock } from '../queue/limits/clock-changes.ts';
import type { Link, VisibleQueues } from '../queue/types.ts';
import { type VisibleGroup, visibleGroup } from './bulk-groups.ts';
import { type Database, openAtVersion, readIn } from './database.ts';
import { type LinkQuery, linkCounts, queryLinks } from './link-queries.ts';
import { loadView, QUEUE_STORES } from './load-queues.ts';
import { NOTHING_PRIVATE, type PrivateMemory, readPrivate } from './private-memory.ts';

/*
 * What a page shows. A page in a private window sees the private requests and links besides, any other page none of them.
 */

/** Every queue, as it is at `now` by the local clock. */
export async function visibleQueues(
  database: Database,
  memory: PrivateMemory,
  isPrivate: boolean,
  now: number,
): Promise<VisibleQueues> {
  const { queues, unassigned } = await readIn(database, QUEUE_STORES, (transaction) => loadView(transaction, memory));
  const isShown = (one: { private: boolean }) => isPrivate || !one.private;
  return {
    queues: queues
      .map((queue) => withClock(queue, { now, workerId: '' }))
      .map((queue) => ({
        ...queue,
        attempts: queue.attempts.filter(isShown),
        requests: queue.requests.filter(isShown),
      })),
    unassigned,
  };
}

/** The links asked for: private ones first, then the newest first. */
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
 * What a page shows, straight from the database: no worker has to wake for it.
 */

/** Reads every queue, as it is at `now` by the local clock. */
export function readVisibleQueues(isPrivate: boolean, now = Date.now()): Promise<VisibleQueues> {
  return reading(isPrivate, (database, memory) => visibleQueues(database, memory, isPrivate, now));
}

/** Reads links: private ones first, then the newest first. */
export function readVisibleLinks(isPrivate: boolean, query: LinkQuery = {}): Promise<Link[]> {
  return reading(isPrivate, (database, memory) => visibleLinks(database, memory, isPrivate, query));
}

/** Counts links, private ones apart. */
export function countVisibleLinks(): ReturnType<typeof linkCounts> {
  return reading(false, (database) => readIn(database, ['links'], linkCounts));
}

/** Reads what was ordered together, and the links it has come to; null: there is no such group. */
export function readVisibleGroup(isPrivate: boolean, id: string): Promise<VisibleGroup | null> {
  return reading(isPrivate, (database, memory) => visibleGroup(database, memory, isPrivate, id));
}

/** The database while it is read: what is read at the same time opens it once. */
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
    // A page outside private windows shows nothing of them: it need not ask what there is.
    const [memory, database] = await Promise.all([isPrivate ? readPrivate() : NOTHING_PRIVATE, mine.database]);
    return await read(database, memory);
  } finally {
    mine.readers -= 1;
    if (mine.readers === 0) close(mine);
  }
}

function share(): Shared {
  // One that another has closed is of no use to whoever comes next.
  const opened: Shared = { database: openForPage(() => leave(opened)), readers: 0 };
  shared = opened;
  return opened;
}

function close(one: Shared): void {
  leave(one);
  // Where it could not be opened, its readers have been told.
  one.database.then(
    (database) => database.close(),
    () => undefined,
  );
}

function leave(one: Shared): void {
  if (shared === one) shared = null;
}

/**
 * Opens the database for a page. One that is not up to date is a rare thing: what makes it so is loaded only then.
 *
 * @param closed called where it was closed by another than its user
 */
export async function openForPage(closed?: () => void): Promise<Database> {
  let isOutdated = false;
  const opened = openAtVersion(async () => {
    isOutdated = true;
    throw new Error('The database is not up to date.');
  }, closed) as Promise<unknown> as Promise<Database>;
  return opened.catch(async (error) => {
    if (!isOutdated) throw error;
    const { openDatabase } = await import('./database.ts');
    return openDatabase(closed);
  });
}
