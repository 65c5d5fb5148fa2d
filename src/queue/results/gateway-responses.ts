import type { AttemptResult, RequestResult } from '../../servers/adapter.ts';
import { capabilitiesOf } from '../../servers/capabilities.ts';
import type { Attempt, Connection, ProblemCode } from '../types.ts';

/** Maximum number of times that a gateway may refuse a request before the request fails. */
export const MAX_REFUSALS = 3;

/**
 * Decides whether a refusal comes from the server itself or from a gateway in front of it. If the server worked
 * before, a web page or a redirect counts as the gateway's. A refused API key counts only after a health check has
 * confirmed it.
 */
export function interpretResult(outcome: AttemptResult, connection: Connection, attempt: Attempt): AttemptResult {
  const items = outcome.items.map((item) => weighItem(item, connection, attempt));
  const isTurnedAway = items.length > 0 && items.every(({ kind }) => kind === 'not_made');
  return { ...outcome, items, conclusive: outcome.conclusive && !isTurnedAway };
}

function weighItem(item: RequestResult, connection: Connection, { refusals = 0 }: Attempt): RequestResult {
  if (item.kind !== 'refused' && item.kind !== 'not_made') return item;
  const { kind, code, message } = item;
  if (code === 'unauthorized' && capabilitiesOf(connection).checksKey) return { kind: 'not_made', code, message };
  const isElsewhere: ProblemCode[] = ['not_a_service', 'redirected'];
  if (!isElsewhere.includes(code)) return item;
  if (!hasWorked(connection)) {
    // If the server has never worked, its address is probably wrong, so repeated refusals are final.
    if (kind === 'refused' || refusals + 1 >= MAX_REFUSALS) return { kind: 'refused', code, message };
  }
  return { kind: 'not_made', code: 'gateway_refused', message: '' };
}

/** True if the server has worked before: it returned its service document, accepted the API key or created a link. */
export function hasWorked({ service, lastSeenWellAt }: Connection): boolean {
  return service !== null || lastSeenWellAt !== null;
}

/**
 * True if a gateway refused every POST of an attempt, so that none reached the server. Repeating the attempt then
 * cannot create a second link.
 */
export function wasNotDelivered({ refusals = 0, sends, inFlight }: Attempt): boolean {
  return !inFlight && refusals > 0 && refusals === sends;
}
