import type { Queue, Time } from './types.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const FIRST_MS = 2_000;
const MAX_UNREACHABLE_MS = 5 * MINUTE;
const MAX_REFUSED_MS = HOUR;

/** A spent quota returns within a day, so waiting costs less than asking. */
const FIRST_QUOTA_MS = HOUR;
const MAX_QUOTA_MS = 6 * HOUR;

/** Delays of an attempt without a response. The first retry follows within seconds, later ones less and less often. */
const ATTEMPT_DELAYS_MS = [3_000, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR];

/**
 * Returns the delay in milliseconds of an unreachable service. It doubles with each failure in a row.
 *
 * @param failures number of failures in a row, at least 1
 * @param random number in [0, 1) that shortens the delay by up to half, so that many browsers do not return at once
 */
export function unreachableBackoff(failures: number, random: number): number {
  return spread(Math.min(MAX_UNREACHABLE_MS, FIRST_MS * 2 ** (failures - 1)), random);
}

/** Returns the delay after a 429 or 503 without Retry-After. It grows faster, because each try costs quota. */
export function refusedBackoff(failures: number, random: number): number {
  return spread(Math.min(MAX_REFUSED_MS, FIRST_MS * 6 ** (failures - 1)), random);
}

/** Returns the delay after the quota was spent, if the service did not say when it resets. */
export function quotaBackoff(failures: number, random: number): number {
  return spread(Math.min(MAX_QUOTA_MS, FIRST_QUOTA_MS * 2 ** (failures - 1)), random);
}

/** Returns the delay in milliseconds of an attempt that was delayed `delays` times before. */
export function attemptBackoff(delays: number): number {
  return ATTEMPT_DELAYS_MS[Math.min(delays, ATTEMPT_DELAYS_MS.length - 1)] ?? MINUTE;
}

/** Returns the delay of an attempt that a gateway refused. It is not repeated within seconds. */
export function gatewayBackoff(delays: number): number {
  return attemptBackoff(delays + 1);
}

function spread(ms: number, random: number): number {
  return Math.round(ms * (0.5 + random / 2));
}

/**
 * Delays a queue because the browser may repeat a POST, which could create a second link. The delay grows each time.
 * `random` is in [0, 1).
 */
export function delayWithoutConnectionClose(queue: Queue, time: Time, random: number): Queue {
  const failures = queue.state.failures + 1;
  const until = time.now + unreachableBackoff(failures, random);
  return { ...queue, state: { ...queue.state, failures, pause: { until, reason: 'unprotected', named: false } } };
}
