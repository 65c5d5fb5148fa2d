import type { Link } from '../queue/types.ts';
import type { Database } from './database.ts';
import { type GroupView, shownGroup } from './groups.ts';
import { linkCounts } from './links.ts';
import { openAtVersion } from './open-at-version.ts';
import { NOTHING_PRIVATE, type PrivateMemory, readPrivate } from './private-memory.ts';
import { shownLinks, shownQueues } from './shown.ts';
import { readIn } from './transaction.ts';
import type { LinkQuery, QueuesView } from './view.ts';

/*
 * What a page shows, straight from the database: no worker has to wake for it.
 */

/** Reads every queue, as it is at `now` by the local clock. */
export function readQueuesHere(isPrivate: boolean, now = Date.now()): Promise<QueuesView> {
  return reading(isPrivate, (database, memory) => shownQueues(database, memory, isPrivate, now));
}

/** Reads links: private ones first, then the newest first. */
export function readLinksHere(isPrivate: boolean, query: LinkQuery = {}): Promise<Link[]> {
  return reading(isPrivate, (database, memory) => shownLinks(database, memory, isPrivate, query));
}

/** Counts links, private ones apart. */
export function countLinksHere(): ReturnType<typeof linkCounts> {
  return reading(false, (database) => readIn(database, ['links'], linkCounts));
}

/** Reads what was ordered together, and the links it has come to; null: there is no such group. */
export function readGroupHere(isPrivate: boolean, id: string): Promise<GroupView | null> {
  return reading(isPrivate, (database, memory) => shownGroup(database, memory, isPrivate, id));
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
