import { FEATURE, HEADER } from '@terse/contract';
import { has } from '../queue/next.ts';
import type { Outcome } from '../queue/outcome.ts';
import type { Attempt, ConnectionInfo, ProblemCode } from '../queue/types.ts';
import { readAnswer } from './answer.ts';

/** The browser's network, behind one door. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

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
  connection: ConnectionInfo,
  apiKey: string,
  attempt: Attempt,
  now: () => number,
  limitMs = FETCH_LIMIT_MS,
): Promise<Outcome> {
  try {
    const response = await fetch(connection.baseUrl + attempt.path, {
      ...FETCH_DEFAULTS,
      method: 'POST',
      headers: {
        [HEADER.authorization]: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        [HEADER.idempotencyKey]: attempt.idempotencyKey,
      },
      body: attempt.body,
      signal: AbortSignal.timeout(limitMs),
    });
    return await readAnswer(response, attempt, has(connection, FEATURE.idempotency), now());
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
    date: null,
    limits: { throttle: null, quota: null },
  };
}
