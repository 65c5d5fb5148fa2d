import { formatRateLimit, HEADER } from '@terse/contract';
import type { MiddlewareHandler } from 'hono';
import { type KeyLimits, type LimitReport, report, UNUSED } from '../domain/limits/key-limits.ts';
import { createReadLimit } from '../domain/limits/read-and-search-throttle.ts';
import { ApiError } from '../http/api-error.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import type { ApiServices, Env } from './endpoint.ts';

/** Returns middleware that limits how often an API key can read, search, edit and delete links. */
export function throttleReads({ clock }: Pick<ApiServices, 'clock'>): MiddlewareHandler<Env> {
  const drawRead = createReadLimit(clock);
  return async (context, next) => {
    const { search, tag } = context.req.query();
    const draw = drawRead(context.var.key.id, Boolean(search?.trim() || tag?.trim()));
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

/**
 * Returns the headers `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), which describe the
 * limits per second and per day.
 */
export function limitHeaders({ throttle, quota }: LimitReport): Record<string, string> {
  const { policy, state } = formatRateLimit({ throttle, quota });
  return { [HEADER.rateLimitPolicy]: policy, [HEADER.rateLimit]: state };
}

/**
 * Returns the rate limit headers for a failed request. If the database is unavailable, the number of remaining
 * requests is unknown, so the `RateLimit` header is omitted.
 */
export async function failureLimitHeaders(
  error: unknown,
  limits: KeyLimits,
  readLimits: () => Promise<LimitReport>,
): Promise<[name: string, value: string][]> {
  const limitReport = error instanceof StoreUnavailable ? null : await readLimits().catch(() => null);
  if (limitReport) return Object.entries(limitHeaders(limitReport));
  const { policy } = formatRateLimit({ ...report(limits, UNUSED, 0) });
  return [[HEADER.rateLimitPolicy, policy]];
}
