import type { Clock } from '../../domain/clock-and-random.ts';
import { createReadLimit } from '../../domain/limits/throttle.ts';
import { ApiError } from '../../http/api-error.ts';
import type { PageContext } from '../services.ts';

/**
 * Returns a function that counts a search of the signed-in account. The function throws the error `throttled` if the
 * account searches too often. The API has the same limit per API key.
 */
export function createSearchLimit(clock: Clock): (context: PageContext) => void {
  const drawRead = createReadLimit(clock);
  return (context) => {
    const draw = drawRead(context.var.session.accountId, true);
    if (!draw.allowed) throw new ApiError('throttled', { headers: { 'Retry-After': String(draw.retryAfter) } });
  };
}
