import type { Reported } from './reconcile.ts';
import type { ProblemCode } from './types.ts';

/** What became of one request in an attempt. `message` is the service's own words, untrusted. */
export type RequestOutcome =
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
  /** Nobody can tell whether a link was created. A limit that may hide one pauses the queue like any other. */
  | { kind: 'unclear'; code: ProblemCode; message: string; retryAfterSeconds?: number | null };

/** What became of an attempt: one outcome for each of its requests in their order, and what the answer reported. */
export interface Outcome extends Reported {
  items: RequestOutcome[];
  /**
   * Whether the service decided about the attempt: false for a loss, a limit, a 5xx, somebody else's page. Sent again, it
   * must be by the same bytes under the same key, or what was done after all is done twice.
   */
  conclusive: boolean;
  /** False where no answer came at all. */
  answered: boolean;
  /** A batch that was refused before any of its items was looked at (400, 413, 415, 422). */
  refusedAsWhole: boolean;
}
