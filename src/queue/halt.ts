import type { Halt, ProblemCode } from './types.ts';

/** The halt a refusal calls for: every other request would meet it too. Null for one that is about its own URL. */
export function haltBy(code: ProblemCode): Halt | null {
  return code === 'unauthorized' || code === 'not_a_service' || code === 'redirected' ? code : null;
}
