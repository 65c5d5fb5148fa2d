import { type Burst, type BurstReport, drawBurst, reportBurst } from './burst.ts';
import { type DayUse, type QuotaReport, reportQuota, useAt } from './day-quota.ts';

/** What a key may send: `throttle` requests a second, and `quota` requests a UTC day. */
export interface KeyLimits {
  throttle: number;
  quota: number;
}

/** What is remembered of a key's sends: the theoretical arrival time (ms) of the next, and the day's count. */
export interface LimitState extends DayUse {
  openAt: number;
}

/** Both limits as they stand at one instant, none of their fields unknown. */
export interface LimitReport {
  throttle: BurstReport;
  quota: QuotaReport;
}

export interface Verdict {
  /** The limit that stands in the way; the quota where both do, because its wait is the longer one. */
  refusedBy: 'throttle' | 'quota' | null;
  /** What to remember now; the very state given where there is nothing new to remember. */
  state: LimitState;
  report: LimitReport;
}

export const UNUSED: LimitState = { openAt: 0, day: 0, used: 0 };

/** Checks both limits before charging either, then charges both. */
export function charge(limits: KeyLimits, before: LimitState, now: number): Verdict {
  const use = useAt(before, now);
  const draw = drawBurst(throttleOf(limits), before.openAt, now);
  const isFull = use.used >= limits.quota;
  if (isFull || !draw.allowed) {
    const refusedBy = isFull ? 'quota' : 'throttle';
    return { refusedBy, state: afterSetBack(limits, before, now), report: report(limits, before, now) };
  }
  const state = { openAt: draw.dueAt, day: use.day, used: use.used + 1 };
  return { refusedBy: null, state, report: report(limits, state, now) };
}

/** What is left of both limits, charging nothing. */
export function report(limits: KeyLimits, state: LimitState, now: number): LimitReport {
  return {
    throttle: reportBurst(throttleOf(limits), state.openAt, now),
    quota: reportQuota(limits.quota, useAt(state, now), now),
  };
}

/** A clock set back is noticed once and remembered, or the wait would begin anew with every request. */
function afterSetBack(limits: KeyLimits, before: LimitState, now: number): LimitState {
  const { perSecond, burst } = throttleOf(limits);
  const openAt = Math.min(before.openAt, now + (burst * 1000) / perSecond);
  const day = Math.min(before.day, useAt(before, now).day);
  return openAt < before.openAt || day < before.day ? { ...before, openAt, day } : before;
}

/**
 * A rate above one a second lets a second's worth come at once, as the RateLimit fields promise it (`q=5;w=1`). Up to one
 * a second there is no tolerance: the next request is due a whole interval after this one.
 */
function throttleOf({ throttle }: KeyLimits): Burst {
  return { perSecond: throttle, burst: Math.max(1, Math.floor(throttle)) };
}
