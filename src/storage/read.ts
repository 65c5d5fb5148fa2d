import { openDatabase } from './database.ts';
import { latestLinks } from './links.ts';
import { readPrivate } from './private-memory.ts';
import { readSnapshot } from './snapshot.ts';
import type { View } from './view.ts';

/** How many of the latest links a page reads unless it says. */
const LATEST = 5;

/**
 * Reads what a page shows, straight from the database: no worker has to wake for it. A page in a private window sees
 * the private requests and links besides, any other page none of them.
 *
 * @param links how many of the latest links to read
 */
export async function readViewHere(isPrivate: boolean, links = LATEST): Promise<View> {
  const database = await openDatabase();
  try {
    const memory = await readPrivate();
    const transaction = database.transaction(['requests', 'links', 'state'], 'readonly');
    const snapshot = await readSnapshot(transaction, memory);
    const shown = snapshot.requests.filter((request) => isPrivate || !request.private);
    const latest = await latestLinks(database, links);
    const merged = isPrivate ? [...memory.links.toReversed(), ...latest].slice(0, links) : latest;
    return { ...snapshot, requests: shown, links: merged };
  } finally {
    database.close();
  }
}
