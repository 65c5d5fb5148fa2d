import { HEADER } from '@terse/contract/headers';
import type { Outcome } from '../queue/outcome.ts';
import type { Attempt, ProblemCode } from '../queue/types.ts';
import { readAnswer } from './answer.ts';

/** The browser's network, passed in. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Where an attempt goes and as whom: all of it read in the transaction that began the attempt. */
export interface Destination {
  baseUrl: string;
  apiKey: string;
}

/**
 * How long one request may take, in milliseconds: less than the 30 s after which a browser ends a background without
 * events, so that a hang is seen as one.
 */
export const FETCH_LIMIT_MS = 20_000;

/** What every request has in common: nothing of the person's other sessions goes along, and no redirect is followed. */
export const FETCH_DEFAULTS = {
  credentials: 'omit',
  cache: 'no-store',
  redirect: 'manual',
  referrerPolicy: 'no-referrer',
} as const satisfies RequestInit;

/** Sends an attempt and reads what became of it. Never throws: no answer is an outcome too. */
export async function sendAttempt(
  fetch: Fetch,
  destination: Destination,
  attempt: Attempt,
  now: () => number,
  limitMs = FETCH_LIMIT_MS,
): Promise<Outcome> {
  try {
    const response = await fetch(destination.baseUrl + attempt.path, {
      ...FETCH_DEFAULTS,
      method: 'POST',
      headers: {
        [HEADER.authorization]: `Bearer ${destination.apiKey}`,
        'Content-Type': 'application/json',
        [HEADER.idempotencyKey]: attempt.idempotencyKey,
      },
      body: attempt.body,
      signal: AbortSignal.timeout(limitMs),
    });
    return await readAnswer(response, attempt, now());
  } catch (error) {
    return lost(attempt, isTimeout(error) ? 'timeout' : 'no_answer');
  }
}

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function lost(attempt: Attempt, code: ProblemCode): Outcome {
  return {
    items: attempt.requestIds.map(() => ({ kind: 'unclear', code, message: '' })),
    answered: false,
    conclusive: false,
    refusedAsWhole: false,
    date: null,
    limits: { throttle: null, quota: null },
  };
}
