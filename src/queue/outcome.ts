import type { Told } from './budget.ts';
import type { ProblemCode } from './types.ts';

/** What became of one request in an attempt. `message` is the service's own words, untrusted. */
export type ItemOutcome =
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
  /** Nobody can tell whether a link was created. */
  | { kind: 'unclear'; code: ProblemCode; message: string };

/** What became of an attempt: one outcome for each of its requests in their order, and what the answer told besides. */
export interface Outcome extends Told {
  items: ItemOutcome[];
  /**
   * Whether the service judged the attempt: false for a loss, a limit, a 5xx, somebody else's page. Asked again, it must
   * be by the same bytes under the same key, or what was done after all is done twice.
   */
  conclusive: boolean;
  /** False where no answer came at all. */
  answered: boolean;
}
