import type { KeyLimits } from './limits.ts';

/**
 * How many keys an account other than the owner's may have, since each has the limits of the service anew. A key that was
 * revoked today counts: it may have used its quota of the day.
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

/** A key's own limits as somebody asks for them: text, empty where the service's are to hold. */
export interface AskedLimits {
  quota: string;
  throttle: string;
}

/** A key's own limits; null where the service's hold. */
export interface OwnLimits {
  quota: number | null;
  throttle: number | null;
}

/**
 * Judges the limits asked for. Whoever runs the service may set any; everybody else may only tighten the service's own,
 * or an invited account would be a way round them.
 *
 * @returns the limits, or a sentence for each that is wrong
 */
export function judgeLimits(
  asked: AskedLimits,
  standard: KeyLimits,
  isOwner: boolean,
): { limits: OwnLimits } | { problems: { quota: string | null; throttle: string | null } } {
  const [quota, throttle] = [asked.quota.trim(), asked.throttle.trim()];
  const problems = {
    quota:
      quota === '' || isQuota(quota)
        ? tooMuch(quota, standard.quota, isOwner)
        : 'This must be a whole number from 1 to 999999999.',
    throttle:
      throttle === '' || isThrottle(throttle)
        ? tooMuch(throttle, standard.throttle, isOwner)
        : 'This must be a number from 0.001 to 100000.',
  };
  if (problems.quota || problems.throttle) return { problems };
  return {
    limits: { quota: quota === '' ? null : Number(quota), throttle: throttle === '' ? null : Number(throttle) },
  };
}

/**
 * The limits that hold for a key. The service's may have been lowered since a key was given limits of its own, and bound
 * those of everybody but its owner.
 */
export function limitsInForce(own: OwnLimits, standard: KeyLimits, isOwner: boolean): KeyLimits {
  const { quota, throttle } = { quota: own.quota ?? standard.quota, throttle: own.throttle ?? standard.throttle };
  if (isOwner) return { quota, throttle };
  return { quota: Math.min(quota, standard.quota), throttle: Math.min(throttle, standard.throttle) };
}

function tooMuch(text: string, most: number, isOwner: boolean): string | null {
  return isOwner || text === '' || Number(text) <= most ? null : `This service allows at most ${most}.`;
}
