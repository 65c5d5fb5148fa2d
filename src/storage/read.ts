import type { Link } from '../queue/types.ts';
import { withClock } from '../queue/with-clock.ts';
import { openDatabase } from './database.ts';
import { queryLinks } from './links.ts';
import { loadView, QUEUE_STORES } from './load-queues.ts';
import { readPrivate } from './private-memory.ts';
import { readIn } from './transaction.ts';
import type { LinkQuery, QueuesView } from './view.ts';

/*
 * What a page shows, straight from the database: no worker has to wake for it. A page in a private window sees the private
 * requests and links besides, any other page none of them.
 */

/** Reads every queue, as it is at `now` by the local clock. */
export async function readQueuesHere(isPrivate: boolean, now = Date.now()): Promise<QueuesView> {
  const { database, memory } = await open();
  try {
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
      unassigned: unassigned.filter(isShown),
    };
  } finally {
    database.close();
  }
}

/** Reads links: private ones first, then the newest first. */
export async function readLinksHere(isPrivate: boolean, query: LinkQuery = {}): Promise<Link[]> {
  const { database, memory } = await open();
  try {
    const remembered = isPrivate ? memory.links : [];
    return await readIn(database, ['links'], (transaction) => queryLinks(transaction, remembered, query));
  } finally {
    database.close();
  }
}

async function open() {
  const [memory, database] = await Promise.all([readPrivate(), openDatabase()]);
  return { memory, database };
}
