import {
  type DayUse,
  type QuotaReport,
  reportQuota,
  reportThrottle,
  type Throttle,
  type ThrottleReport,
  takeFromThrottle,
  useAt,
} from './throttle-and-quota.ts';

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
  throttle: ThrottleReport;
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
  const draw = takeFromThrottle(throttleOf(limits), before.openAt, now);
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
    throttle: reportThrottle(throttleOf(limits), state.openAt, now),
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
function throttleOf({ throttle }: KeyLimits): Throttle {
  return { perSecond: throttle, burst: Math.max(1, Math.floor(throttle)) };
}

/**
 * How many keys an account other than the owner's may have. A key that was revoked today counts, since it may have used its
 * quota of the day.
 */
export const MAX_KEYS = 50;

/** Whether a text is a quota: a whole number of requests a day, from 1 to 999,999,999. */
export function isQuota(text: string): boolean {
  return /^[1-9]\d{0,8}$/.test(text);
}

/** Whether a text is a throttle: requests a second, from 0.001 to 100,000. */
export function isThrottle(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text) && Number(text) >= 0.001 && Number(text) <= 100_000;
}

/** A key's own limits as they are typed; empty where the service's are to hold. */
export interface KeyLimitsInput {
  quota: string;
  throttle: string;
}

/** A key's own limits; null where the service's hold. */
export interface OwnLimits {
  quota: number | null;
  throttle: number | null;
}

/**
 * Validates a key's own limits. Whoever runs the service may set any. Everybody else may only tighten the service's, or an
 * invited account would be a way round them.
 *
 * @returns the limits, or a sentence for each that is wrong
 */
export function validateKeyLimits(
  input: KeyLimitsInput,
  standard: KeyLimits,
  isOwner: boolean,
): { limits: OwnLimits } | { problems: { quota: string | null; throttle: string | null } } {
  const [quota, throttle] = [input.quota.trim(), input.throttle.trim()];
  const problems = {
    quota:
      quota === '' || isQuota(quota)
        ? tooMuch(quota, standard.quota, isOwner)
        : 'Please enter a whole number from 1 to 999,999,999.',
    throttle:
      throttle === '' || isThrottle(throttle)
        ? tooMuch(throttle, standard.throttle, isOwner)
        : 'Please enter a number from 0.001 to 100,000.',
  };
  if (problems.quota || problems.throttle) return { problems };
  return {
    limits: { quota: quota === '' ? null : Number(quota), throttle: throttle === '' ? null : Number(throttle) },
  };
}

/**
 * The limits that hold for a key. The service's bound those of every key but its owner's, also where they were lowered
 * after the key was made.
 */
export function limitsInForce(own: OwnLimits, standard: KeyLimits, isOwner: boolean): KeyLimits {
  const { quota, throttle } = { quota: own.quota ?? standard.quota, throttle: own.throttle ?? standard.throttle };
  if (isOwner) return { quota, throttle };
  return { quota: Math.min(quota, standard.quota), throttle: Math.min(throttle, standard.throttle) };
}

function tooMuch(text: string, most: number, isOwner: boolean): string | null {
  return isOwner || text === '' || Number(text) <= most ? null : `This service allows at most ${most}.`;
}
