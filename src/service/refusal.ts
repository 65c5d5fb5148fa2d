import { ErrorBody, INVALID_URL_SENTENCE } from '@terse/contract/errors';
import type { RequestOutcome } from '../queue/outcome.ts';
import type { ProblemCode } from '../queue/types.ts';

/** Enough of a service's own words for a person to read. */
const LONGEST_MESSAGE = 300;

/** Codes of refusals for good that have a sentence of their own. */
const KNOWN = new Map<string | undefined, ProblemCode>([
  ['short_code_taken', 'short_code_taken'],
  ['invalid_short_code', 'invalid_short_code'],
  ['target_refused', 'target_refused'],
  ['invalid_expiry', 'expired'],
]);

/** An answer that is not a success, as far as it tells about one request. */
export interface Refusal {
  status: number;
  body: unknown;
  retryAfterSeconds: number | null;
  quotaSpent: boolean;
  /** Whether sending the same again is safe. */
  idempotent: boolean;
  /** The throttle that this very answer reports is slower than the pace we kept. */
  tooSoon: boolean;
}

/**
 * Reads a refusal by its status, since the specification promises no codes, and by our service's code where there is
 * one: it tells a blocked address from an invalid URL, for which both have one sentence. Where no code does, that sentence
 * means an invalid URL, in whatever 4xx. A 5xx says nothing about whether a link was made: where asking again is not
 * safe, the person decides. Nor does a 429 there, to a send that kept the pace: over HTTP/2 a browser may have sent it
 * twice, and the first have made the link.
 */
export function readRefusal({
  status,
  body,
  retryAfterSeconds,
  quotaSpent,
  idempotent,
  tooSoon,
}: Refusal): RequestOutcome {
  const parsed = ErrorBody.safeParse(body);
  const message = parsed.success ? parsed.data.error.slice(0, LONGEST_MESSAGE) : '';
  const code = parsed.success ? parsed.data.code : undefined;
  if (status === 429) {
    const spent = code === 'quota_exceeded' || (code !== 'throttled' && quotaSpent);
    const kind = idempotent || tooSoon ? 'refused_for_now' : 'unclear';
    return { kind, code: spent ? 'quota_exceeded' : 'throttled', message, retryAfterSeconds };
  }
  const known = KNOWN.get(code);
  if (status < 500 && (code === 'invalid_url' || (!known && message === INVALID_URL_SENTENCE))) {
    return { kind: 'refused', code: 'invalid_url', message };
  }
  const again = status === 503 || status === 408 || status === 425 || code === 'request_in_flight';
  if (again) return { kind: 'refused_for_now', code: 'busy', message, retryAfterSeconds };
  if (status >= 500) return { kind: 'unclear', code: 'server_error', message };
  if (status === 401 || (status === 403 && !isOfItsUrl(code)))
    return { kind: 'refused', code: 'unauthorized', message };
  if (status === 404 || status === 405) return { kind: 'refused', code: 'not_a_service', message };
  // The specification's sentence says less than the code.
  return { kind: 'refused', code: known ?? 'refused', message: message === INVALID_URL_SENTENCE ? '' : message };
}

/** Whether a 403 with this code is about the URL. Without one it may be about the key, as every other would be. */
function isOfItsUrl(code: string | undefined): boolean {
  return code !== undefined && code !== 'unauthorized' && code !== 'forbidden';
}
