import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock-and-random.ts';

export interface Throttle {
  perSecond: number;
  burst: number;
}

/** State of a limit, as clients see it. Times are in whole seconds. */
export interface LimitStatus {
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

interface Draw {
  allowed: boolean;
  /**
   * Theoretical arrival time of the next request in milliseconds, as defined by GCRA. If the request was refused,
   * this time is unchanged.
   */
  dueAt: number;
  /** Seconds until the next request is allowed, rounded up. 0 if the current request was allowed. */
  retryAfter: number;
  report: LimitStatus;
}

/**
 * Tolerance for rounding errors, in milliseconds. JavaScript numbers store current timestamps with a precision of a
 * quarter of a microsecond.
 */
const ROUNDING = 0.001;

/**
 * Applies a rate limit with GCRA, the generic cell rate algorithm (ITU-T I.371). It allows `burst` requests at once,
 * and `perSecond` requests per second in the long run.
 *
 * @param cost weight of this request, at most `burst`; a normal request has the weight 1
 */
export function takeFromThrottle(rate: Throttle, before: number, now: number, cost = 1): Draw {
  const { interval, window } = timesOf(rate);
  const due = dueAfter(rate, before, now);
  const wait = due + cost * interval - window - now;
  const allowed = wait <= ROUNDING;
  const dueAt = allowed ? due + cost * interval : due;
  return {
    allowed,
    dueAt,
    retryAfter: allowed ? 0 : Math.ceil(wait / 1000),
    report: reportThrottle(rate, dueAt, now),
  };
}

export function reportThrottle(rate: Throttle, before: number, now: number): LimitStatus {
  const { interval, window } = timesOf(rate);
  const ahead = dueAfter(rate, before, now) - now;
  return {
    limit: rate.burst,
    windowSeconds: Math.ceil(window / 1000),
    remaining: Math.floor((window - ahead + ROUNDING) / interval),
    resetSeconds: Math.ceil(ahead / 1000),
  };
}

/**
 * Returns the theoretical arrival time of the next request, as defined by GCRA. If the clock has been set back, a
 * stored time can be far in the future. The result is therefore limited to `now` plus the duration of one burst.
 */
export function dueAfter(rate: Throttle, before: number, now: number): number {
  return Math.min(Math.max(before, now), now + timesOf(rate).window);
}

function timesOf({ perSecond, burst }: Throttle): { interval: number; window: number } {
  const interval = 1000 / perSecond;
  return { interval, window: burst * interval };
}

/** Rate limit for reading, editing and deleting links. These requests do not count against the daily quota. */
const READS: Throttle = { perSecond: 10, burst: 20 };

/** Number of read requests that a search counts as. Searches are expensive, because they read thousands of links. */
const SEARCH_COST = 5;

/** Maximum number of API keys or accounts whose usage is kept. The least recently used entry is dropped first. */
const MAX_READERS = 10_000;

/**
 * Limits the read requests of each API key or account. The usage is stored only in memory, because each process
 * protects only itself.
 */
export function createReadLimit(clock: Clock): (reader: number, isSearch: boolean) => Draw {
  const dueAt = new LRUCache<number, number>({ max: MAX_READERS });
  return (reader, isSearch) => {
    const draw = takeFromThrottle(READS, dueAt.get(reader) ?? 0, clock(), isSearch ? SEARCH_COST : 1);
    dueAt.set(reader, draw.dueAt);
    return draw;
  };
}
