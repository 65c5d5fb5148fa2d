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

/**
 * Limits of an API key. `throttle` is a number of requests per second, and `quota` is a number of requests per UTC
 * day.
 */
export interface KeyLimits {
  throttle: number;
  quota: number;
}

/**
 * Stored usage of an API key. `openAt` is the theoretical arrival time of the next request, as defined by GCRA
 * (generic cell rate algorithm).
 */
export interface LimitState extends DayUsage {
  openAt: number;
}

export interface LimitReport {
  throttle: ThrottleReport;
  quota: QuotaReport;
}

export interface Verdict {
  /**
   * Limit that refused the request, or null if the request was allowed. If both limits refused the request, the value
   * is `quota`, because the client must wait longer for the quota.
   */
  refusedBy: 'throttle' | 'quota' | null;
  /** State to store. If the state is unchanged, this is the same object as in the input. */
  state: LimitState;
  report: LimitReport;
}

export const UNUSED: LimitState = { openAt: 0, day: 0, used: 0 };

/** Counts a request against the throttle and the quota, but only if both limits allow the request. */
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

export function report(limits: KeyLimits, state: LimitState, now: number): LimitReport {
  return {
    throttle: reportThrottle(throttleOf(limits), state.openAt, now),
    quota: reportQuota(limits.quota, usageAt(state, now), now),
  };
}

/**
 * Corrects stored times that are too far in the future because the server's clock was set back. Otherwise, requests
 * could be refused until the clock catches up.
 */
function afterSetBack(limits: KeyLimits, before: LimitState, now: number): LimitState {
  const { perSecond, burst } = throttleOf(limits);
  const openAt = Math.min(before.openAt, now + (burst * 1000) / perSecond);
  const day = Math.min(before.day, usageAt(before, now).day);
  return openAt < before.openAt || day < before.day ? { ...before, openAt, day } : before;
}

/**
 * Converts the `throttle` of an API key to a rate and a burst. The burst is the number of requests per second,
 * rounded down, but at least 1. The `RateLimit-Policy` header announces the burst (`q=5;w=1`).
 */
function throttleOf({ throttle }: KeyLimits): Throttle {
  return { perSecond: throttle, burst: Math.max(1, Math.floor(throttle)) };
}

/**
 * Maximum number of API keys per account, except for the owner's account. Keys that were revoked today also count,
 * because their daily quota may already be used.
 */
export const MAX_KEYS = 50;

/** True if the text is a valid quota: a whole number of requests per day, from 1 to 999,999,999. */
export function isValidQuota(text: string): boolean {
  return /^[1-9]\d{0,8}$/.test(text);
}

/** True if the text is a valid throttle: a number of requests per second, from 0.001 to 100,000. */
export function isValidThrottle(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text) && Number(text) >= 0.001 && Number(text) <= 100_000;
}

/** Limits of an API key as entered in a form. An empty field means the service's default. */
export interface KeyLimitsInput {
  quota: string;
  throttle: string;
}

/** Limits that were set for one API key. Null means the service's default. */
export interface OwnLimits {
  quota: number | null;
  throttle: number | null;
}

/**
 * Validates the limits that a user sets for an API key. The owner can set any valid limits. Other users cannot exceed
 * the service's defaults.
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
 * Returns the limits that apply to an API key. A limit above the service's current default is reduced to the default,
 * except for the owner's keys. The default may have been lowered after the key was created.
 */
export function limitsInForce(own: OwnLimits, standard: KeyLimits, isOwner: boolean): KeyLimits {
  const { quota, throttle } = { quota: own.quota ?? standard.quota, throttle: own.throttle ?? standard.throttle };
  if (isOwner) return { quota, throttle };
  return { quota: Math.min(quota, standard.quota), throttle: Math.min(throttle, standard.throttle) };
}

/** Returns an error message if a limit is too high, or null otherwise. An empty string counts as 0. */
function tooMuch(text: string, most: number, isOwner: boolean): string | null {
  return isOwner || Number(text) <= most ? null : `This server allows at most ${most}.`;
}
