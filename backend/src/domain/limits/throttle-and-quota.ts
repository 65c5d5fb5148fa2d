/** A rate, and how many may come at once. */
export interface Throttle {
  perSecond: number;
  burst: number;
}

/** How a rate stands at one instant, as the RateLimit fields tell it. Times in whole seconds. */
export interface ThrottleReport {
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

export interface Draw {
  allowed: boolean;
  /** The theoretical arrival time to remember, in milliseconds; unchanged where refused. */
  dueAt: number;
  /** Whole seconds until the next would be allowed; 0 where this one was. */
  retryAfter: number;
  report: ThrottleReport;
}

/** Instants of today are numbers so large that their fractions are exact to a quarter of a microsecond only. */
const ROUNDING = 0.001;

/**
 * GCRA (ITU-T I.371) with a tolerance: `burst` at once, and `perSecond` in the long run. A burst of 1 has none.
 *
 * @param cost number of units that are drawn, up to `burst`
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

/** How a rate stands, drawing nothing from it. */
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

/** The earliest theoretical arrival time: never further ahead than a whole burst, so that a clock set back locks nobody out. */
function dueAfter(rate: Throttle, before: number, now: number): number {
  return Math.min(Math.max(before, now), now + timesOf(rate).window);
}

function timesOf({ perSecond, burst }: Throttle): { interval: number; window: number } {
  const interval = 1000 / perSecond;
  return { interval, window: burst * interval };
}

/** How much of a quota was used on a UTC day, by the number of the day since the epoch. */
export interface DayUse {
  day: number;
  used: number;
}

/** How a quota stands at one instant. */
export interface QuotaReport {
  limit: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

const DAY = 86_400_000;

/**
 * What was used, as it holds at `now`: a new day begins unused. A clock set back by up to a day refills nothing. One that
 * was further ahead was wrong: its day counts as tomorrow, so that nobody is locked out until the day after that.
 */
export function useAt({ day, used }: DayUse, now: number): DayUse {
  const today = Math.floor(now / DAY);
  return { day: Math.min(Math.max(day, today), today + 1), used: today > day ? 0 : used };
}

/** @param use as `useAt` returned it for this instant */
export function reportQuota(limit: number, { day, used }: DayUse, now: number): QuotaReport {
  return {
    limit,
    windowSeconds: DAY / 1000,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.ceil(((day + 1) * DAY - now) / 1000),
  };
}
