import { formatRateLimit, HEADER } from '@terse/contract';
import type { LimitReport } from '../domain/limits.ts';

/** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers) for a key's two limits. */
export function limitHeaders({ throttle, quota }: LimitReport): Record<string, string> {
  const { policy, state } = formatRateLimit({ throttle, quota });
  return { [HEADER.rateLimitPolicy]: policy, [HEADER.rateLimit]: state };
}
