import { openDatabase } from './database.ts';
import { latestLinks, linksAbout } from './links.ts';
import { readPrivate } from './private-memory.ts';
import { readSnapshot } from './snapshot.ts';
import type { View, Wanted } from './view.ts';

/** How many of the latest links a page reads unless it says. */
const LATEST = 5;

/**
 * Reads what a page shows, straight from the database: no worker has to wake for it. A page in a private window sees
 * the private requests and links besides, any other page none of them.
 */
export async function readViewHere(isPrivate: boolean, wanted: Wanted = {}): Promise<View> {
  const database = await openDatabase();
  try {
    const memory = await readPrivate();
    const transaction = database.transaction(['requests', 'links', 'state'], 'readonly');
    const snapshot = await readSnapshot(transaction, memory);
    const shown = snapshot.requests.filter((request) => isPrivate || !request.private);
    const remembered = isPrivate ? memory.links.toReversed() : [];
    const { latest = LATEST } = wanted;
    const newest = [...remembered, ...(await latestLinks(database, latest))].slice(0, latest);
    const listed = new Set(newest.map(({ id }) => id));
    const about = await linksAbout(database, remembered, wanted);
    return { ...snapshot, requests: shown, links: [...newest, ...about.filter(({ id }) => !listed.has(id))] };
  } finally {
    database.close();
  }
}
