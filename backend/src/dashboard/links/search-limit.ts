import type { Clock } from '../../domain/clock-and-random.ts';
import { createReadLimit } from '../../domain/limits/read-limit.ts';
import { errorPage } from '../components/error-page.ts';
import type { PageContext } from '../page-definition.ts';

/** Returns a 429 response if the account has searched too often, or null if the search may run. */
export type SearchLimit = (context: PageContext) => Response | Promise<Response> | null;

/** Limits the searches of each account like the API limits the searches of each key. */
export function createSearchLimit(clock: Clock): SearchLimit {
  const drawRead = createReadLimit(clock);
  return (context) => {
    const draw = drawRead(context.var.session.accountId, true);
    if (draw.allowed) return null;
    context.header('Retry-After', String(draw.retryAfter));
    return errorPage(context, 429);
  };
}
