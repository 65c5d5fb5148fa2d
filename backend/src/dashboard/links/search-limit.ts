import type { Clock } from '../../domain/clock-and-random.ts';
import { createReadLimit } from '../../domain/limits/throttle.ts';
import { errorPage } from '../components/error-page.ts';
import type { PageContext } from '../page-definition.ts';

/** Returns a 429 response if the account has exceeded its search limit. Otherwise, returns null. */
export type SearchLimit = (context: PageContext) => Response | Promise<Response> | null;

/** Limits how often an account can search. The API has the same limit per API key. */
export function createSearchLimit(clock: Clock): SearchLimit {
  const drawRead = createReadLimit(clock);
  return (context) => {
    const draw = drawRead(context.var.session.accountId, true);
    if (draw.allowed) return null;
    context.header('Retry-After', String(draw.retryAfter));
    return errorPage(context, 429);
  };
}
