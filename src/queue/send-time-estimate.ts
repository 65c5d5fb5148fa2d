import { nextUnitAt, remaining, SAFE_DAY_MS } from './limits.ts';
import { isDue, pendingRequests, selectBatch } from './sending.ts';
import type { Queue, Request } from './types.ts';

export interface EstimatedSend {
  at: number;
  requestIds: string[];
}

/** A group of requests that are sent one after the other, without waiting for more quota. */
export interface Burst {
  at: number;
  count: number;
}

/** Maximum gap between two sends in the same group. A longer gap means that the next send has to wait for quota. */
const BURST_GAP_MS = 10 * 60_000;

/**
 * Estimates when the requests of a queue will be sent if nothing fails. Omits requests that need the user's action.
 * If the queue is paused or blocked, or if the browser is offline, the estimate assumes that sending resumes now.
 */
export function estimateSends(queue: Queue, now: number): EstimatedSend[] {
  const { state, limits } = queue;
  if (limits.perDay <= 0) return [];
  let left = remaining(limits, now);
  let moreAt = nextUnitAt(limits, now) ?? now + SAFE_DAY_MS;
  let next = Math.max(now, state.wait?.until ?? 0, (state.lastEndedAt ?? 0) + limits.gapMs);
  return batches(queue, now).map((requests) => {
    let at = Math.max(next, ...requests.map(({ retryAt }) => retryAt ?? 0));
    if (left === 0) at = Math.max(at, moreAt);
    if (at >= moreAt) {
      left = limits.perDay;
      moreAt = at + SAFE_DAY_MS;
    }
    left -= 1;
    next = at + limits.gapMs;
    return { at, requestIds: requests.map(({ id }) => id) };
  });
}

/**
 * Groups requests that are expected to be sent without waiting for quota in between. Each group has a start time and
 * a number of requests.
 *
 * @param ids ids of the requests to count, or null to count all requests
 */
export function burstsOf(sends: EstimatedSend[], ids: ReadonlySet<string> | null = null): Burst[] {
  const bursts: (Burst & { last: number })[] = [];
  for (const { at, requestIds } of sends) {
    const count = ids ? requestIds.filter((id) => ids.has(id)).length : requestIds.length;
    const burst = bursts.at(-1);
    if (count === 0) continue;
    if (burst && at - burst.last <= BURST_GAP_MS) Object.assign(burst, { count: burst.count + count, last: at });
    else bursts.push({ at, count, last: at });
  }
  return bursts.map(({ at, count }) => ({ at, count }));
}

/** Returns the batches in the order in which they will be sent. Delayed requests come last. */
function batches({ requests, connection }: Queue, now: number): Request[][] {
  const pending = pendingRequests(requests);
  const delayed = pending.filter((request) => !isDue(request, now));
  let left = pending.filter((request) => isDue(request, now));
  const due: Request[][] = [];
  while (left.length > 0) {
    const batch = selectBatch(left, connection);
    const sent = new Set(batch);
    due.push(batch);
    // Fast path: if the first request in the list is sent alone, removing it from the front is enough.
    left = batch.length === 1 && left[0] === batch[0] ? left.slice(1) : left.filter((one) => !sent.has(one));
  }
  return [...due, ...delayed.map((request) => [request])];
}
