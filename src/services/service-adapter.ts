import { FEATURE } from '@terse/contract/service-capabilities';
import type { Reported } from '../queue/limits/reported-limits.ts';
import type { Connection, ProblemCode } from '../queue/types.ts';

/** What became of one request in an attempt. `message` is the service's own words, untrusted. */
export type RequestResult =
  | { kind: 'created'; shortUrl: string }
  /** For good: sending the same again would be refused again. */
  | { kind: 'refused'; code: ProblemCode; message: string }
  /** For now. `retryAfterSeconds` is null where the service did not say when. */
  | {
      kind: 'refused_for_now';
      code: 'throttled' | 'quota_exceeded' | 'busy';
      message: string;
      retryAfterSeconds: number | null;
    }
  /** Turned away before the service did anything with it: no link was created. A probe tells what that means. */
  | { kind: 'not_made'; code: ProblemCode; message: string }
  /** It is unknown if a link was created. */
  | { kind: 'unclear'; code: ProblemCode; message: string };

/** What became of an attempt: one outcome for each of its requests in their order, and what the answer reported. */
export interface AttemptResult extends Reported {
  items: RequestResult[];
  /**
   * Whether the service decided about the attempt: false for a loss, a limit, a 5xx, somebody else's page. Sent again, it
   * must be by the same bytes under the same key, or what was done after all is done twice.
   */
  conclusive: boolean;
  /** True if the service itself answered: a gateway's page is no answer of the service. */
  answered: boolean;
  /** A batch that was refused before any of its items was looked at (400, 413, 415, 422). */
  refusedAsWhole: boolean;
}

/** Whether the service of a connection said that it has a feature. */
export function hasFeature(connection: Connection, feature: string): boolean {
  return connection.service?.features.includes(feature) ?? false;
}

/** Whether the service, asked again with the same key, answers the same instead of making another link. */
export function isIdempotent(connection: Connection): boolean {
  return hasFeature(connection, FEATURE.idempotency);
}

/**
 * Whether requests may go together. Only where each item has a key of its own: a batch that fails because of one of its
 * items can be taken apart then, and no item is made twice.
 */
export function supportsBatches(connection: Connection): boolean {
  return hasFeature(connection, FEATURE.batch) && hasFeature(connection, FEATURE.itemIdempotency);
}
