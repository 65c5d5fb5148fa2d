export interface Throttle {
  perSecond: number;
  burst: number;
}

export interface ThrottleReport {
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

export interface Draw {
  allowed: boolean;
  /**
   * Theoretical arrival time of the next request in milliseconds, as defined by GCRA. If the request was refused,
   * this time is unchanged.
   */
  dueAt: number;
  /** Seconds until the next request is allowed, rounded up. 0 if the current request was allowed. */
  retryAfter: number;
  report: ThrottleReport;
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
 * Returns the theoretical arrival time of the next request, as defined by GCRA. If the clock has been set back, a
 * stored time can be far in the future. The result is therefore limited to `now` plus the duration of one burst.
 */
function dueAfter(rate: Throttle, before: number, now: number): number {
  return Math.min(Math.max(before, now), now + timesOf(rate).window);
}

function timesOf({ perSecond, burst }: Throttle): { interval: number; window: number } {
  const interval = 1000 / perSecond;
  return { interval, window: burst * interval };
}

/** Number of requests on a UTC day. `day` counts the days since January 1, 1970. */
export interface DayUsage {
  day: number;
  used: number;
}

export interface QuotaReport {
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

const DAY = 86_400_000;

/**
 * Returns the usage of a quota at the time `now`. The usage is 0 at the start of each day. If the clock was set back,
 * the stored day can be far in the future. Any day later than tomorrow is replaced by tomorrow, so that the quota
 * resets within two days.
 */
export function usageAt({ day, used }: DayUsage, now: number): DayUsage {
  const today = Math.floor(now / DAY);
  return { day: Math.min(Math.max(day, today), today + 1), used: today > day ? 0 : used };
}

/**
 * Returns the limit, the remaining requests and the time until the quota resets.
 *
 * @param use current usage, as returned by `usageAt`
 */
export function reportQuota(limit: number, { day, used }: DayUsage, now: number): QuotaReport {
  return {
    limit,
    windowSeconds: DAY / 1000,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.ceil(((day + 1) * DAY - now) / 1000),
  };
}
