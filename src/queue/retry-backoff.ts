const FIRST_MS = 3_000;
const FACTOR = 10;
const MAX_MS = 5 * 60_000;

/** Delay after the quota is used up, if the server did not report when the quota resets. */
export const QUOTA_DELAY_MS = 3_600_000;

/**
 * Returns the delay in milliseconds after a number of consecutive failures: about 3 seconds, 30 seconds, and then
 * 5 minutes.
 *
 * @param failures at least 1
 * @param random number in [0, 1) that shortens the delay by up to half, so that many browsers do not retry at the
 * same moment
 */
export function backoff(failures: number, random: number): number {
  return Math.round(Math.min(MAX_MS, FIRST_MS * FACTOR ** (failures - 1)) * (0.5 + random / 2));
}
