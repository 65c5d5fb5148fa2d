import type { Queue, Request } from './types.ts';

/*
 * The order in which requests are sent. Whatever was asked for by itself stands by its age; lists stand behind all of that,
 * by their age among themselves: whoever shortens one page waits for it, whoever has handed in a list of a thousand does not.
 * The person may give any of them another place.
 */

/** How far behind lists stand, in milliseconds: twenty years, longer than any request waits. */
const LISTS_BEHIND_MS = 20 * 365 * 24 * 3_600_000;

/** Two places are at least so far apart: what is left of a millisecond at this size of number. */
const LEAST_GAP_MS = 0.001;

/** Whatever has a lower one goes first. */
export function positionOf({ position, createdAt, groupId }: Request): number {
  return position ?? createdAt + (groupId === null ? 0 : LISTS_BEHIND_MS);
}

/** Sorts requests into line. */
export function sortByQueueOrder(one: Request, other: Request): number {
  return positionOf(one) - positionOf(other);
}

/**
 * Moves requests to another place in line: in front of `before`, or to the end where that is null. They keep their order
 * among themselves. The places there are are given out anew, so that whatever is accepted later stands where it would have.
 * What has an attempt of its own goes with that, and is not moved.
 *
 * @param before the id of a request that is not moved itself; one that is not in line (any more) changes nothing
 */
export function reorder(queue: Queue, ids: string[], before: string | null): Queue {
  const line = waitingRequests(queue);
  const isMoved = ({ id }: Request) => ids.includes(id);
  const moved = line.filter(isMoved);
  const rest = line.filter((request) => !isMoved(request));
  const at = before === null ? rest.length : rest.findIndex(({ id }) => id === before);
  if (moved.length === 0 || at < 0) return queue;
  const places = givenOut([...rest.slice(0, at), ...moved, ...rest.slice(at)], line.map(positionOf));
  const requests = queue.requests.map((request) => {
    const position = places.get(request.id);
    return position === undefined || position === positionOf(request) ? request : { ...request, position };
  });
  if (requests.every((request, index) => request === queue.requests[index])) return queue;
  return { ...queue, requests: requests.sort(sortByQueueOrder) };
}

/** The requests that wait and have no attempt, first in line first: those that can be given another place. */
export function waitingRequests({ attempts, requests }: Queue): Request[] {
  const attempted = new Set(attempts.flatMap(({ requestIds }) => requestIds));
  return requests.filter(({ id, state }) => state === 'waiting' && !attempted.has(id)).sort(sortByQueueOrder);
}

/** Which place each request gets, of those that are free. Two that are the same are set apart. */
function givenOut(line: Request[], free: number[]): Map<string, number> {
  let last = Number.NEGATIVE_INFINITY;
  return new Map(
    line.map(({ id }, index) => {
      last = Math.max(free[index] ?? last, last + LEAST_GAP_MS);
      return [id, last];
    }),
  );
}
