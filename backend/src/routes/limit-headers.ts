import { formatRateLimit, HEADER } from '@terse/contract';
import { type KeyLimits, type LimitReport, report, UNUSED } from '../domain/limits.ts';
import { StoreUnavailable } from '../store/store.ts';

/** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers) for a key's two limits. */
export function limitHeaders({ throttle, quota }: LimitReport): Record<string, string> {
  const { policy, state } = formatRateLimit({ throttle, quota });
  return { [HEADER.rateLimitPolicy]: policy, [HEADER.rateLimit]: state };
}

/**
 * The same fields on the answer to a request that failed. The policy is always known. What is left of it is read from the
 * database, unless that is what failed.
 */
export async function failureLimitHeaders(
  error: unknown,
  limits: KeyLimits,
  left: () => Promise<LimitReport>,
): Promise<[name: string, value: string][]> {
  const known = error instanceof StoreUnavailable ? null : await left().catch(() => null);
  if (known) return Object.entries(limitHeaders(known));
  const { policy } = formatRateLimit({ ...report(limits, UNUSED, 0) });
  return [[HEADER.rateLimitPolicy, policy]];
}
