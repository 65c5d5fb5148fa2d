import { needsUser } from '../../queue/status/request-status.ts';
import type { Attempt, Link, Queue, Request, Time } from '../../queue/types.ts';

/** What became of the requests of one attempt. */
export interface Completed {
  links: CompletedLink[];
  /** Requests that only the person can move on. */
  stuck: Request[];
  /** Requests that will not have the short URL that was handed out. */
  renamed: Request[];
  /** The ids of groups of which nothing is on its way any more. */
  groupIds: string[];
}

/** A link, and how long its request had been waiting for it, in milliseconds. */
export interface CompletedLink {
  link: Link;
  source: Request['source'];
  waitedMs: number;
  /** The person has had its short URL, or one that it was to have, since before it worked. */
  handedOut: boolean;
}

/** What of a queue came to its end without an answer to an attempt. */
export type Ended = Pick<Completed, 'stuck' | 'groupIds'>;

export function endedBy(before: Queue, after: Queue): Ended {
  return { stuck: newlyStuck(before, after), groupIds: endedGroups(before, after) };
}

/** The requests that only the person can move on now, and could move by themselves before. */
function newlyStuck(before: Queue, after: Queue): Request[] {
  const stuckBefore = new Set(before.requests.filter(needsUser(before)).map(({ id }) => id));
  return after.requests.filter(needsUser(after)).filter(({ id }) => !stuckBefore.has(id));
}

/** The groups of which something was on its way before, and nothing is after. */
function endedGroups(before: Queue, after: Queue): string[] {
  const left = groupsOnTheirWay(after);
  return [...groupsOnTheirWay(before)].filter((id) => !left.has(id));
}

function groupsOnTheirWay({ requests }: Queue): Set<string> {
  const isMoving = ({ state }: Request) => state !== 'failed' && state !== 'undecided';
  return new Set(requests.filter(isMoving).flatMap(({ groupId }) => groupId ?? []));
}

export function completedLink(link: Link, request: Request | undefined, time: Time): CompletedLink {
  return {
    link,
    source: request?.source ?? 'background',
    waitedMs: time.now - (request?.createdAt ?? time.now),
    handedOut: request?.handedOut !== undefined,
  };
}

export function completedBy(attempt: Attempt, before: Queue, after: Queue, links: Link[], time: Time): Completed {
  const requests = new Map(before.requests.map((request) => [request.id, request]));
  const sent = after.requests.filter(({ id }) => attempt.requestIds.includes(id));
  return {
    links: links.map((link) => completedLink(link, requests.get(link.id), time)),
    stuck: sent.filter(needsUser(after)),
    renamed: sent.filter(
      ({ id, handedOut, minted }) => handedOut !== undefined && requests.get(id)?.minted?.code !== minted?.code,
    ),
    groupIds: endedGroups(before, after),
  };
}
