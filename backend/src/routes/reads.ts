import { formatRateLimit, HEADER } from '@terse/contract';
import type { MiddlewareHandler } from 'hono';
import { createReadLimit } from '../domain/read-limit.ts';
import type { Env, Services } from './endpoint.ts';
import { ApiError } from './errors.ts';

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
