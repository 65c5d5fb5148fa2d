import { FEATURE } from '@terse/contract/features';
import { isUnmade } from './evidence.ts';
import { has } from './features.ts';
import type { Attempt, Queue, Request } from './types.ts';

/*
 * A link that went out under a short code of ours can be asked for by that code. So a lost answer is made up for at no cost.
 */

/** Maximum number of codes that are looked up one by one. A larger batch is sent again as a whole. */
const MAX_CODES = 10;

/** True if the service may have made what the attempt asks for, and can be asked for it by its codes. */
export function isLookUpDue(attempt: Attempt, { connection, requests }: Queue): boolean {
  if (!attempt.lookUpDue || attempt.inFlight || isUnmade(attempt) || !has(connection, FEATURE.links)) return false;
  const codes = codesToLookUp(attempt, requests).size;
  return codes > 0 && codes <= MAX_CODES;
}

/** The codes that an attempt was sent with, by the id of their request. */
export function codesToLookUp({ requestIds }: Attempt, requests: Request[]): Map<string, string> {
  const members = requests.filter(({ id }) => requestIds.includes(id));
  return new Map(
    members.flatMap(({ id, options, minted }): [string, string][] => {
      const code = options.shortCode ?? minted?.code;
      return code === undefined ? [] : [[id, code]];
    }),
  );
}
