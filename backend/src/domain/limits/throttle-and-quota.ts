/** A rate, and the number of requests allowed at once. */
export interface Throttle {
  perSecond: number;
  burst: number;
}

/** State of a rate at one time, for the RateLimit header. Times in whole seconds. */
export interface ThrottleReport {
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

export interface Draw {
  allowed: boolean;
  /** Theoretical arrival time to store, in milliseconds. Unchanged if refused. */
  dueAt: number;
  /** Whole seconds until the next request would be allowed. 0 if this one was. */
  retryAfter: number;
  report: ThrottleReport;
}

/** Current timestamps are so large that their fractions are only exact to a quarter of a microsecond. */
const ROUNDING = 0.001;

/**
 * GCRA (ITU-T I.371) with tolerance: `burst` at once, and `perSecond` in the long run. A burst of 1 has no tolerance.
 *
 * @param cost number of units to draw, up to `burst`
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

/** Returns the state of a rate without drawing from it. */
export function reportThrottle(rate: Throttle, before: number, now: number): ThrottleReport {
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
 * Returns the earliest theoretical arrival time. At most a whole burst ahead, so that a clock set back locks no
 * client out.
 */
function dueAfter(rate: Throttle, before: number, now: number): number {
  return Math.min(Math.max(before, now), now + timesOf(rate).window);
}

function timesOf({ perSecond, burst }: Throttle): { interval: number; window: number } {
  const interval = 1000 / perSecond;
  return { interval, window: burst * interval };
}

/** Used part of a quota on a UTC day, which is numbered since the epoch. */
export interface DayUsage {
  day: number;
  used: number;
}

/** State of a quota at one time. */
export interface QuotaReport {
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

const DAY = 86_400_000;

/**
 * Returns the used part at `now`. A new day begins with 0. A clock set back by up to a day resets nothing. A stored
 * day further in the future came from a wrong clock and counts as tomorrow, so that the key is not locked out longer.
 */
export function usageAt({ day, used }: DayUsage, now: number): DayUsage {
  const today = Math.floor(now / DAY);
  return { day: Math.min(Math.max(day, today), today + 1), used: today > day ? 0 : used };
}

/** @param use as `useAt` returned it for this time */
export function reportQuota(limit: number, { day, used }: DayUsage, now: number): QuotaReport {
  return {
    limit,
    windowSeconds: DAY / 1000,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.ceil(((day + 1) * DAY - now) / 1000),
  };
}
