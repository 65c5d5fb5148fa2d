import type { Link } from '../queue/types.ts';
import { withClock } from '../queue/with-clock.ts';
import type { Database } from './database.ts';
import { queryLinks } from './links.ts';
import { loadView, QUEUE_STORES } from './load-queues.ts';
import type { PrivateMemory } from './private-memory.ts';
import { readIn } from './transaction.ts';
import type { LinkQuery, QueuesView } from './view.ts';

/*
 * What a page shows. A page in a private window sees the private requests and links besides, any other page none of them.
 */

/** Every queue, as it is at `now` by the local clock. */
export async function shownQueues(
  database: Database,
  memory: PrivateMemory,
  isPrivate: boolean,
  now: number,
): Promise<QueuesView> {
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
export function shownLinks(
  database: Database,
  memory: PrivateMemory,
  isPrivate: boolean,
  query: LinkQuery,
): Promise<Link[]> {
  const remembered = isPrivate ? memory.links : [];
  return readIn(database, ['links'], (transaction) => queryLinks(transaction, remembered, query));
}
