import type { Limit } from '@terse/contract';

/** What a key may send: `throttle` requests a second, evenly spaced, and `quota` requests a UTC day. */
export interface KeyLimits {
  throttle: number;
  quota: number;
}

/** What is remembered of a key's sends: the instant (ms) from which the throttle is open, and the day's count. */
export interface LimitState {
  openAt: number;
  /** Days since the epoch, UTC. */
  day: number;
  used: number;
}

/** Both limits as they stand at one instant, none of their fields unknown. */
export interface LimitReport {
  throttle: KnownLimit;
  quota: KnownLimit;
}

type KnownLimit = { [field in keyof Limit]: number };

export interface Verdict {
  /** The limit that stands in the way; the quota where both do, because its wait is the longer one. */
  refusedBy: 'throttle' | 'quota' | null;
  /** What to remember now; the very state given where there is nothing new to remember. */
  state: LimitState;
  report: LimitReport;
}

export const UNUSED: LimitState = { openAt: 0, day: 0, used: 0 };

const DAY = 86_400_000;

/** Checks both limits before charging either, then charges both. */
export function charge(limits: KeyLimits, before: LimitState, now: number): Verdict {
  const state = settle(limits, before, now);
  const full = state.used >= limits.quota;
  if (full || isClosed(limits, state, now)) {
    // A clock set back is noticed once and remembered, or the wait would begin anew with every request.
    const isSetBack = state.openAt < before.openAt || state.day < before.day;
    const kept = isSetBack ? { ...before, openAt: state.openAt, day: Math.min(state.day, before.day) } : before;
    return { refusedBy: full ? 'quota' : 'throttle', state: kept, report: report(limits, before, now) };
  }
  // GCRA without tolerance (ITU-T I.371): the next request is due one whole interval after this one.
  const charged = { ...state, openAt: Math.max(state.openAt, now) + interval(limits), used: state.used + 1 };
  return { refusedBy: null, state: charged, report: report(limits, charged, now) };
}

/** What is left of both limits, charging nothing. */
export function report(limits: KeyLimits, before: LimitState, now: number): LimitReport {
  const state = settle(limits, before, now);
  const [limit, windowSeconds] = limits.throttle >= 1 ? [Math.floor(limits.throttle), 1] : [1, 1 / limits.throttle];
  const closed = isClosed(limits, state, now);
  return {
    throttle: {
      limit,
      windowSeconds: Math.ceil(windowSeconds),
      remaining: closed ? 0 : 1,
      resetSeconds: closed ? Math.ceil((state.openAt - now) / 1000) : 0,
    },
    quota: {
      limit: limits.quota,
      windowSeconds: DAY / 1000,
      remaining: Math.max(0, limits.quota - state.used),
      resetSeconds: Math.ceil(((state.day + 1) * DAY - now) / 1000),
    },
  };
}

/**
 * The state as it holds at `now`: a new day begins unused. A clock set back by up to a day refills nothing. One that was
 * further ahead was wrong: its day counts as tomorrow, so that nobody is locked out until the day after that.
 */
function settle(limits: KeyLimits, { openAt, day, used }: LimitState, now: number): LimitState {
  const today = Math.floor(now / DAY);
  return {
    openAt: Math.min(openAt, now + interval(limits) + slack(limits)),
    day: Math.min(Math.max(day, today), today + 1),
    used: today > day ? 0 : used,
  };
}

function isClosed(limits: KeyLimits, { openAt }: LimitState, now: number): boolean {
  return openAt > now && openAt - now >= slack(limits);
}

/** The clock ticks in milliseconds, so a faster rate than that can only be kept from tick to tick. */
function slack(limits: KeyLimits): number {
  return interval(limits) < 1 ? 1 : 0;
}

function interval({ throttle }: KeyLimits): number {
  return 1000 / throttle;
}
