import { formatRateLimit, HEADER } from '@terse/contract';
import type { MiddlewareHandler } from 'hono';
import { type KeyLimits, type LimitReport, report, UNUSED } from '../domain/limits/key-limits.ts';
import { createReadLimit } from '../domain/limits/read-limit.ts';
import { ApiError } from '../http/api-error.ts';
import { StoreUnavailable } from '../store/interface/store.ts';
import type { Env, Services } from './endpoint.ts';

/** Limits a key's reads, searches, edits and deletes. */
export function throttleReads({ clock }: Services): MiddlewareHandler<Env> {
  const drawRead = createReadLimit(clock);
  return async (context, next) => {
    const draw = drawRead(context.var.key.id, Boolean(context.req.query('search')?.trim()));
    const { policy, state } = formatRateLimit({ reads: draw.report });
    context.header(HEADER.rateLimitPolicy, policy);
    context.header(HEADER.rateLimit, state);
    if (!draw.allowed) {
      context.set('limit', 'reads');
      throw new ApiError('throttled', { headers: { [HEADER.retryAfter]: String(draw.retryAfter) } });
    }
    await next();
  };
}

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
