import type { Link } from '../queue/types.ts';
import type { Database } from './database.ts';
import { type GroupView, shownGroup } from './groups.ts';
import { openAtVersion } from './open-at-version.ts';
import { readPrivate } from './private-memory.ts';
import { shownLinks, shownQueues } from './shown.ts';
import type { LinkQuery, QueuesView } from './view.ts';

/*
 * What a page shows, straight from the database: no worker has to wake for it.
 */

/** Reads every queue, as it is at `now` by the local clock. */
export async function readQueuesHere(isPrivate: boolean, now = Date.now()): Promise<QueuesView> {
  const { database, memory } = await open();
  try {
    return await shownQueues(database, memory, isPrivate, now);
  } finally {
    database.close();
  }
}

/** Reads links: private ones first, then the newest first. */
export async function readLinksHere(isPrivate: boolean, query: LinkQuery = {}): Promise<Link[]> {
  const { database, memory } = await open();
  try {
    return await shownLinks(database, memory, isPrivate, query);
  } finally {
    database.close();
  }
}

/** Reads what was ordered together, and the links it has come to; null: there is no such group. */
export async function readGroupHere(isPrivate: boolean, id: string): Promise<GroupView | null> {
  const { database, memory } = await open();
  try {
    return await shownGroup(database, memory, isPrivate, id);
  } finally {
    database.close();
  }
}

async function open() {
  const [memory, database] = await Promise.all([readPrivate(), openForPage()]);
  return { memory, database };
}

/** Opens the database for a page. One that is not up to date is a rare thing: what makes it so is loaded only then. */
export async function openForPage(): Promise<Database> {
  let isOutdated = false;
  const opened = openAtVersion(async () => {
    isOutdated = true;
    throw new Error('The database is not up to date.');
  }) as Promise<unknown> as Promise<Database>;
  return opened.catch(async (error) => {
    if (!isOutdated) throw error;
    const { openDatabase } = await import('./database.ts');
    return openDatabase();
  });
}
