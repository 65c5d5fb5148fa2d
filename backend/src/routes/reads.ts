import { formatRateLimit, HEADER } from '@terse/contract';
import type { MiddlewareHandler } from 'hono';
import { LRUCache } from 'lru-cache';
import { type Burst, drawBurst } from '../domain/burst.ts';
import type { Env, Services } from './endpoint.ts';
import { ApiError } from './errors.ts';

/** Reads, edits and deletes: ten a second, twenty at once. They cost the quota nothing. */
const READS: Burst = { perSecond: 10, burst: 20 };

/** How many keys are remembered. The longest unused is forgotten, and may then send its whole burst again. */
const MOST_KEYS = 10_000;

/** Limits a key's reads, edits and deletes. In memory, since it only protects this process. */
export function throttleReads({ clock }: Services): MiddlewareHandler<Env> {
  const dueAt = new LRUCache<number, number>({ max: MOST_KEYS });
  return async (context, next) => {
    const { id } = context.var.key;
    const draw = drawBurst(READS, dueAt.get(id) ?? 0, clock());
    dueAt.set(id, draw.dueAt);
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
