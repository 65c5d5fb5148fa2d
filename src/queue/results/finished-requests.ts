import { needsUser } from '../status/request-status.ts';
import type { Link, Queue, Request, Time } from '../types.ts';

/** Requests that a change of a queue finished, or left to the user. */
export interface Finished {
  links: FinishedLink[];
  /** Requests that now need the user, and did not before. */
  stuck: Request[];
  /** Requests that got another short code after the user had copied their short URL. */
  renamed: Request[];
  /** Ids of groups that have no unfinished request left. */
  groupIds: string[];
}

/** A new link, with what its report needs of its request. */
export interface FinishedLink {
  link: Link;
  source: Request['source'];
  /** Time from accepting the request to its link, in milliseconds. */
  waitedMs: number;
  /** True if the user already copied a short URL for this request. */
  handedOut: boolean;
}

/** Compares a queue before and after a change. Returns null if nothing finished. */
export function finishedBetween(before: Queue, after: Queue, links: Link[], time: Time): Finished | null {
  if (before === after && links.length === 0) return null;
  const requests = new Map(before.requests.map((request) => [request.id, request]));
  const finished: Finished = {
    links: links.map((link) => finishedLink(link, requests.get(link.id), time)),
    stuck: newlyStuck(before, after),
    renamed: after.requests.filter(({ id, handedOut, minted }) => {
      const old = requests.get(id);
      return handedOut !== undefined && old !== undefined && old.minted?.code !== minted?.code;
    }),
    groupIds: finishedGroups(before, after),
  };
  return Object.values(finished).some((list) => list.length > 0) ? finished : null;
}

/** Describes the link of a request. A request that no longer exists counts as accepted just now. */
export function finishedLink(link: Link, request: Request | undefined, time: Time): FinishedLink {
  return {
    link,
    source: request?.source ?? 'background',
    waitedMs: time.now - (request?.createdAt ?? time.now),
    handedOut: request?.handedOut !== undefined,
  };
}

/**
 * Returns the requests that need the user only since this change. If one of them failed, its message says why the queue is
 * blocked, so the requests that wait behind it are left out.
 */
function newlyStuck(before: Queue, after: Queue): Request[] {
  const stuckBefore = new Set(before.requests.filter(needsUser(before)).map(({ id }) => id));
  const stuck = after.requests.filter(needsUser(after)).filter(({ id }) => !stuckBefore.has(id));
  const ended = stuck.filter(({ state }) => state !== 'waiting');
  return ended.length > 0 ? ended : stuck;
}

function finishedGroups(before: Queue, after: Queue): string[] {
  const unfinished = unfinishedGroups(after);
  return [...unfinishedGroups(before)].filter((id) => !unfinished.has(id));
}

function unfinishedGroups({ requests }: Queue): Set<string> {
  const isMoving = ({ state }: Request) => state !== 'failed' && state !== 'undecided';
  return new Set(requests.filter(isMoving).flatMap(({ groupId }) => groupId ?? []));
}
