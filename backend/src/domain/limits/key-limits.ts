/**
 * Limits of an API key. `throttle` is a number of requests per second, and `quota` is a number of requests per UTC
 * day.
 */
export interface KeyLimits {
  throttle: number;
  quota: number;
}

/**
 * Daily quotas of an account, shared by all its API keys. `links` limits requests to create links through the API and
 * the dashboard. `rows` limits imported rows. Days are in UTC. The quotas do not apply to the owner's account.
 */
export interface AccountLimits {
  links: number;
  rows: number;
}

export type QuotaName = keyof AccountLimits;

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

/** Limits that were set for one API key. Null means the service's default. */
export interface OwnLimits {
  quota: number | null;
  throttle: number | null;
}

/**
 * Validates the limits that a user sets for an API key. The owner can set any valid limits. Other users cannot exceed
 * the service's defaults.
 *
 * @param input texts of the form's fields; an empty field means the service's default
 * @returns the limits, or a message for each invalid field
 */
export function validateKeyLimits(
  input: { quota: string; throttle: string },
  standard: KeyLimits,
  isOwner: boolean,
): { limits: OwnLimits } | { problems: { quota: string | null; throttle: string | null } } {
  const [quota, throttle] = [input.quota.trim(), input.throttle.trim()];
  const tooMuch = (text: string, most: number) =>
    isOwner || Number(text) <= most ? null : `This server allows at most ${most}.`;
  const problems = {
    quota: quota && !isValidQuota(quota) ? 'Please enter a whole number from 1 to 999,999,999.' : null,
    throttle: throttle && !isValidThrottle(throttle) ? 'Please enter a number from 0.001 to 100,000.' : null,
  };
  problems.quota ??= tooMuch(quota, standard.quota);
  problems.throttle ??= tooMuch(throttle, standard.throttle);
  if (problems.quota || problems.throttle) return { problems };
  return { limits: { quota: quota ? Number(quota) : null, throttle: throttle ? Number(throttle) : null } };
}
