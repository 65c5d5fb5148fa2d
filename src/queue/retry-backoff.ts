const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const FIRST_MS = 2_000;
const MAX_UNREACHABLE_MS = 5 * MINUTE;
const MAX_REFUSED_MS = HOUR;

/**
 * First delay after the quota is used up. The delay is long, because each try costs quota. The quota resets within a
 * day.
 */
const FIRST_QUOTA_MS = HOUR;
const MAX_QUOTA_MS = 6 * HOUR;

/** Delays after an unanswered attempt. The first retry follows within seconds; later retries wait up to six hours. */
const ATTEMPT_DELAYS_MS = [3_000, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR];

/**
 * Returns the delay in milliseconds for an unreachable server. The delay doubles with each consecutive failure.
 *
 * @param failures number of consecutive failures, at least 1
 * @param random number in [0, 1) that shortens the delay by up to half, so that many browsers do not retry at the
 * same moment
 */
export function unreachableBackoff(failures: number, random: number): number {
  return spread(Math.min(MAX_UNREACHABLE_MS, FIRST_MS * 2 ** (failures - 1)), random);
}

/**
 * Returns the delay after a 429 or 503 response without Retry-After. The delay grows faster than after a network
 * failure, because each try costs quota.
 */
export function refusedBackoff(failures: number, random: number): number {
  return spread(Math.min(MAX_REFUSED_MS, FIRST_MS * 6 ** (failures - 1)), random);
}

/** Returns the delay after the quota is used up, if the server did not report when the quota resets. */
export function quotaBackoff(failures: number, random: number): number {
  return spread(Math.min(MAX_QUOTA_MS, FIRST_QUOTA_MS * 2 ** (failures - 1)), random);
}

/** Returns the delay in milliseconds for an attempt that has been delayed `delays` times before. */
export function attemptBackoff(delays: number): number {
  return ATTEMPT_DELAYS_MS[Math.min(delays, ATTEMPT_DELAYS_MS.length - 1)] ?? MINUTE;
}

/**
 * Returns the delay for an attempt that a gateway refused. The delay is at least a minute, because gateways rarely
 * stop refusing requests within seconds.
 */
export function gatewayBackoff(delays: number): number {
  return attemptBackoff(delays + 1);
}

function spread(ms: number, random: number): number {
  return Math.round(ms * (0.5 + random / 2));
}
