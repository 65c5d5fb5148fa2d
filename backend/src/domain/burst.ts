/** A rate, and how many may come at once. */
export interface Burst {
  perSecond: number;
  burst: number;
}

/** How a rate stands at one instant, as the RateLimit fields tell it. Times in whole seconds. */
export interface BurstReport {
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
  report: BurstReport;
}

/** Instants of today are numbers so large that their fractions are exact to a quarter of a microsecond only. */
const ROUNDING = 0.001;

/**
 * GCRA (ITU-T I.371) with a tolerance: `burst` at once, and `perSecond` in the long run. A burst of 1 has none.
 *
 * @param cost number of units that are drawn, up to `burst`
 */
export function drawBurst(rate: Burst, before: number, now: number, cost = 1): Draw {
  const { interval, window } = timesOf(rate);
  const due = dueAfter(rate, before, now);
  const wait = due + cost * interval - window - now;
  const allowed = wait <= ROUNDING;
  const dueAt = allowed ? due + cost * interval : due;
  return {
    allowed,
    dueAt,
    retryAfter: allowed ? 0 : Math.ceil(wait / 1000),
    report: reportBurst(rate, dueAt, now),
  };
}

/** How a rate stands, drawing nothing from it. */
export function reportBurst(rate: Burst, before: number, now: number): BurstReport {
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
function dueAfter(rate: Burst, before: number, now: number): number {
  return Math.min(Math.max(before, now), now + timesOf(rate).window);
}

function timesOf({ perSecond, burst }: Burst): { interval: number; window: number } {
  const interval = 1000 / perSecond;
  return { interval, window: burst * interval };
}
