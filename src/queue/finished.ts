import { needsUser } from './status.ts';
import type { Link, Queue, Request } from './types.ts';

/** Changes to a queue that must be reported to the user. */
export interface Finished {
  links: FinishedLink[];
  /** Requests that now need the user's action. */
  stuck: Request[];
  /** Ids of bulk lists that no longer contain unfinished requests. */
  listIds: string[];
}

/** A new link, with the details that its notification needs. */
export interface FinishedLink {
  link: Link;
  source: Request['source'];
  /** Time in milliseconds between submitting the URL and creating the link. */
  waitedMs: number;
}

/** Compares a queue before and after a change. Returns null if there is nothing to report to the user. */
export function finishedBetween(before: Queue, after: Queue, links: Link[], now: number): Finished | null {
  if (before === after && links.length === 0) return null;
  const requests = new Map(before.requests.map((request) => [request.id, request]));
  const finished: Finished = {
    links: links.map((link) => finishedLink(link, requests.get(link.id), now)),
    stuck: newlyStuck(before, after),
    listIds: finishedLists(before, after),
  };
  return Object.values(finished).some((list) => list.length > 0) ? finished : null;
}

/** Describes a new link for a notification. If its request no longer exists, the waiting time is 0. */
function finishedLink(link: Link, request: Request | undefined, now: number): FinishedLink {
  return {
    link,
    source: request?.source ?? 'background',
    waitedMs: now - (request?.createdAt ?? now),
  };
}

/**
 * Returns the requests that need the user's action in `after` but not in `before`. If a failed request blocked the
 * queue, the requests that wait behind the failed request are left out.
 */
function newlyStuck(before: Queue, after: Queue): Request[] {
  const stuckBefore = new Set(before.requests.filter(needsUser(before)).map(({ id }) => id));
  const stuck = after.requests.filter(needsUser(after)).filter(({ id }) => !stuckBefore.has(id));
  const ended = stuck.filter(({ state }) => state !== 'waiting');
  return ended.length > 0 ? ended : stuck;
}

function finishedLists(before: Queue, after: Queue): string[] {
  const unfinished = unfinishedLists(after);
  return [...unfinishedLists(before)].filter((id) => !unfinished.has(id));
}

function unfinishedLists({ requests }: Queue): Set<string> {
  const isMoving = ({ state }: Request) => state !== 'failed' && state !== 'uncertain';
  return new Set(requests.filter(isMoving).flatMap(({ listId }) => listId ?? []));
}
