import type { KeyLimits } from './limits.ts';

/**
 * How many keys an account other than the owner's may have. A key that was revoked today counts, since it may have used its
 * quota of the day.
 */
export const MOST_KEYS = 50;

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
