import type { Connection } from '../queue/types.ts';
import { announce } from '../storage/changes.ts';
import { dropUnlisted, keepListed } from '../storage/listed-links.ts';
import { openForPage } from '../storage/read.ts';
import { askService } from './ask-service.ts';
import { type ReadResult, readHistory } from './read-history.ts';

/** So many links are kept before the pages that show them read again: each time they read them all. */
const ANNOUNCED_AFTER = 1_000;

/**
 * Brings the links that are kept of a connection's service up to date. Where another page is at it already, this one is
 * told of what that one finds.
 *
 * @param progress called with the number of links read
 */
export async function refreshHistory(connection: Connection, progress: (count: number) => void): Promise<ReadResult> {
  const { id, baseUrl, lastFour } = connection;
  // Another key's list is another list.
  return navigator.locks.request(`history ${id} ${baseUrl} ${lastFour}`, { ifAvailable: true }, (lock) =>
    lock ? read(connection, progress) : null,
  );
}

async function read(connection: Connection, progress: (count: number) => void): Promise<ReadResult> {
  const database = await openForPage();
  let unannounced = 0;
  const announceChanges = async (queues: boolean) => {
    await announce({ queues, links: unannounced > 0 });
    unannounced = 0;
  };
  let kept = 0;
  try {
    return await readHistory({
      ask: (path) => askService(connection, { method: 'GET', path }),
      keep: async (listed) => {
        const isChanged = await keepListed(database, connection, listed, Date.now());
        const isFirst = kept === 0;
        kept += listed.length;
        if (isChanged) unannounced += listed.length;
        if (unannounced >= ANNOUNCED_AFTER || (isFirst && isChanged)) await announceChanges(false);
        return isChanged !== null;
      },
      drop: async (seen, reading) => {
        const isChanged = await dropUnlisted(database, connection, seen, reading);
        if (isChanged) unannounced += 1;
        return isChanged !== null;
      },
      progress,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      now: () => Date.now(),
    });
  } finally {
    await announceChanges(true);
    database.close();
  }
}
