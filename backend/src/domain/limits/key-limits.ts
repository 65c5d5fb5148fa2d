import {
  type DayUsage,
  type QuotaReport,
  reportQuota,
  reportThrottle,
  type Throttle,
  type ThrottleReport,
  takeFromThrottle,
  usageAt,
} from './throttle-and-quota.ts';

/** Limits of a key: `throttle` requests per second, and `quota` requests per UTC day. */
export interface KeyLimits {
  throttle: number;
  quota: number;
}

/**
 * Stored state of a key's limits: the theoretical arrival time of the next request in milliseconds, and the day's
 * count.
 */
export interface LimitState extends DayUsage {
  openAt: number;
}

/** State of both limits at one time, with all fields known. */
export interface LimitReport {
  throttle: ThrottleReport;
  quota: QuotaReport;
}

export interface Verdict {
  /** The limit that refuses the request. The quota if both do, because its wait is longer. */
  refusedBy: 'throttle' | 'quota' | null;
  /** State to store. The same object as before if nothing has changed. */
  state: LimitState;
  report: LimitReport;
}

export const UNUSED: LimitState = { openAt: 0, day: 0, used: 0 };

/** Checks both limits before charging either, then charges both. */
export function charge(limits: KeyLimits, before: LimitState, now: number): Verdict {
  const use = usageAt(before, now);
  const draw = takeFromThrottle(throttleOf(limits), before.openAt, now);
  const isFull = use.used >= limits.quota;
  if (isFull || !draw.allowed) {
    const refusedBy = isFull ? 'quota' : 'throttle';
    return { refusedBy, state: afterSetBack(limits, before, now), report: report(limits, before, now) };
  }
  const state = { openAt: draw.dueAt, day: use.day, used: use.used + 1 };
  return { refusedBy: null, state, report: report(limits, state, now) };
}

/** Returns the remaining limits without charging them. */
export function report(limits: KeyLimits, state: LimitState, now: number): LimitReport {
  return {
    throttle: reportThrottle(throttleOf(limits), state.openAt, now),
    quota: reportQuota(limits.quota, usageAt(state, now), now),
  };
}

/** Stores that the clock was set back. Otherwise the wait would start again with every request. */
function afterSetBack(limits: KeyLimits, before: LimitState, now: number): LimitState {
  const { perSecond, burst } = throttleOf(limits);
  const openAt = Math.min(before.openAt, now + (burst * 1000) / perSecond);
  const day = Math.min(before.day, usageAt(before, now).day);
  return openAt < before.openAt || day < before.day ? { ...before, openAt, day } : before;
}

/**
 * A rate above one per second allows the requests of one second at once, as the RateLimit field promises (`q=5;w=1`).
 * Up to one per second there is no burst: the next request is allowed a whole interval later.
 */
function throttleOf({ throttle }: KeyLimits): Throttle {
  return { perSecond: throttle, burst: Math.max(1, Math.floor(throttle)) };
}

/**
 * Maximum number of keys of an account other than the owner's. Keys revoked today count, because they may have used
 * their quota.
 */
export const MAX_KEYS = 50;

/** True if a text is a quota: an integer number of requests per day, from 1 to 999,999,999. */
export function isValidQuota(text: string): boolean {
  return /^[1-9]\d{0,8}$/.test(text);
}

/** True if a text is a throttle: requests per second, from 0.001 to 100,000. */
export function isValidThrottle(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text) && Number(text) >= 0.001 && Number(text) <= 100_000;
}

/** A key's limits as entered in a form. Empty to use the service's limits. */
export interface KeyLimitsInput {
  quota: string;
  throttle: string;
}

/** A key's own limits. Null to use the service's limits. */
export interface OwnLimits {
  quota: number | null;
  throttle: number | null;
}

/**
 * Validates a key's own limits. The owner may set any. Other accounts may only choose lower limits than the
 * service's.
 *
 * @returns the limits, or a message for each invalid field
 */
export function validateKeyLimits(
  input: KeyLimitsInput,
  standard: KeyLimits,
  isOwner: boolean,
): { limits: OwnLimits } | { problems: { quota: string | null; throttle: string | null } } {
  const [quota, throttle] = [input.quota.trim(), input.throttle.trim()];
  const problems = {
    quota:
      quota === '' || isValidQuota(quota)
        ? tooMuch(quota, standard.quota, isOwner)
        : 'Please enter a whole number from 1 to 999,999,999.',
    throttle:
      throttle === '' || isValidThrottle(throttle)
        ? tooMuch(throttle, standard.throttle, isOwner)
        : 'Please enter a number from 0.001 to 100,000.',
  };
  if (problems.quota || problems.throttle) return { problems };
  return {
    limits: { quota: quota === '' ? null : Number(quota), throttle: throttle === '' ? null : Number(throttle) },
  };
}

/**
 * Returns the limits that apply to a key. The service's limits are the maximum for all keys except the owner's, even
 * if they were lowered after the key was created.
 */
export function limitsInForce(own: OwnLimits, standard: KeyLimits, isOwner: boolean): KeyLimits {
  const { quota, throttle } = { quota: own.quota ?? standard.quota, throttle: own.throttle ?? standard.throttle };
  if (isOwner) return { quota, throttle };
  return { quota: Math.min(quota, standard.quota), throttle: Math.min(throttle, standard.throttle) };
}

function tooMuch(text: string, most: number, isOwner: boolean): string | null {
  return isOwner || text === '' || Number(text) <= most ? null : `This server allows at most ${most}.`;
}
