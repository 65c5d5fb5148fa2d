import { ErrorBody, INVALID_URL_SENTENCE } from '@terse/contract/errors';
import type { ProblemCode } from '../../queue/types.ts';
import type { RequestResult } from '../service-adapter.ts';

/** Enough of a service's own words for a person to read. */
const LONGEST_MESSAGE = 300;

/** Codes of refusals for good that have a sentence of their own. */
const KNOWN = new Map<string | undefined, ProblemCode>([
  ['short_code_taken', 'short_code_taken'],
  ['invalid_short_code', 'invalid_short_code'],
  ['target_refused', 'target_refused'],
  ['invalid_expiry', 'expired'],
]);

/** Statuses with which a gateway says that it did not pass a request on. */
const NOT_PASSED_ON = [408, 425, 503, 521, 523, 525, 526, 530];

/** Statuses with which a gateway refuses a request that may be nothing to the service. */
const REFUSED_BY_GATEWAY = [401, 403, 407, 451];

/** An answer that is not a success, as far as it tells about one request. */
export interface ErrorResponse {
  status: number;
  body: unknown;
  retryAfterSeconds: number | null;
  quotaSpent: boolean;
}

/**
 * Reads a refusal. Only JSON with the contract's error field is the service's own; everything else is a gateway's. A limit
 * is always a wait, because the request was not passed on. The specification promises no codes, so the status decides
 * where the body has none.
 */
export function readErrorResponse({ status, body, retryAfterSeconds, quotaSpent }: ErrorResponse): RequestResult {
  const parsed = ErrorBody.safeParse(body);
  const message = parsed.success ? parsed.data.error.slice(0, LONGEST_MESSAGE) : '';
  const code = parsed.success ? parsed.data.code : undefined;
  if (status === 429) {
    const spent = code === 'quota_exceeded' || (code !== 'throttled' && quotaSpent);
    return { kind: 'refused_for_now', code: spent ? 'quota_exceeded' : 'throttled', message, retryAfterSeconds };
  }
  if (!parsed.success) return readGatewayRefusal(status);
  const known = KNOWN.get(code);
  if (status < 500 && (code === 'invalid_url' || (!known && message === INVALID_URL_SENTENCE))) {
    return { kind: 'refused', code: 'invalid_url', message };
  }
  const again = status === 503 || status === 408 || status === 425 || code === 'request_in_flight';
  if (again) return { kind: 'refused_for_now', code: 'busy', message, retryAfterSeconds };
  if (status >= 500) return { kind: 'unclear', code: 'server_error', message };
  if (status === 403 && code === 'forbidden') return { kind: 'refused', code: 'forbidden', message };
  if (status === 401 || (status === 403 && !isOfItsUrl(code)))
    return { kind: 'refused', code: 'unauthorized', message };
  if (status === 404 || status === 405) return { kind: 'refused', code: 'not_a_service', message };
  // The specification's sentence says less than the code.
  return { kind: 'refused', code: known ?? 'refused', message: message === INVALID_URL_SENTENCE ? '' : message };
}

/** True if an error body is the service's own. */
export function isErrorBody(body: unknown): boolean {
  return ErrorBody.safeParse(body).success;
}

/** Only an error of the origin itself leaves open whether a link was created. */
function readGatewayRefusal(status: number): RequestResult {
  const message = '';
  if (NOT_PASSED_ON.includes(status)) return { kind: 'not_made', code: 'server_error', message };
  if (status >= 500) return { kind: 'unclear', code: 'server_error', message };
  if (REFUSED_BY_GATEWAY.includes(status)) return { kind: 'not_made', code: 'gateway_refused', message };
  if (status === 404 || status === 405) return { kind: 'not_made', code: 'not_a_service', message };
  return { kind: 'refused', code: 'refused', message };
}

/** Whether a 403 with this code is about the URL. Without one it may be about the key, as every other would be. */
function isOfItsUrl(code: string | undefined): boolean {
  return code !== undefined && code !== 'unauthorized';
}
