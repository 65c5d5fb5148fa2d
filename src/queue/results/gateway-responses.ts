import { FEATURE } from '@terse/contract/service-capabilities';
import { type AttemptResult, hasFeature, type RequestResult } from '../../services/service-adapter.ts';
import type { Attempt, Connection, ProblemCode } from '../types.ts';

/** Maximum number of gateway refusals of a request. After that, it fails. */
export const MAX_REFUSALS = 3;

/**
 * Decides if a refusal came from the service. If the service worked before, a page or redirect in its place comes from
 * a gateway. A refused key is checked by a probe first if the service supports that.
 */
export function interpretResult(outcome: AttemptResult, connection: Connection, attempt: Attempt): AttemptResult {
  const items = outcome.items.map((item) => weighItem(item, connection, attempt));
  const isTurnedAway = items.length > 0 && items.every(({ kind }) => kind === 'not_made');
  return { ...outcome, items, conclusive: outcome.conclusive && !isTurnedAway };
}

function weighItem(item: RequestResult, connection: Connection, { refusals = 0 }: Attempt): RequestResult {
  if (item.kind !== 'refused' && item.kind !== 'not_made') return item;
  const { kind, code, message } = item;
  if (code === 'unauthorized' && hasFeature(connection, FEATURE.key)) return { kind: 'not_made', code, message };
  const isElsewhere: ProblemCode[] = ['not_a_service', 'redirected'];
  if (!isElsewhere.includes(code)) return item;
  if (!hasWorked(connection)) {
    // An address that never worked may be wrong. JSON says so at once, a page or a redirect after several tries.
    if (kind === 'refused' || refusals + 1 >= MAX_REFUSALS) return { kind: 'refused', code, message };
  }
  return { kind: 'not_made', code: 'gateway_refused', message: '' };
}

/** True if the service was there once: its document was read, or it created a link. */
export function hasWorked({ service, lastSeenWellAt }: Connection): boolean {
  return service !== null || lastSeenWellAt !== null;
}

/** True if no send of the attempt reached the service. It created nothing, so it can be sent again on any service. */
export function wasNotDelivered({ refusals = 0, sends, inFlight }: Attempt): boolean {
  return !inFlight && refusals > 0 && refusals === sends;
}
