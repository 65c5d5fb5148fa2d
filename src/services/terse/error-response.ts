import { ErrorBody, INVALID_URL_MESSAGE } from '@terse/contract/errors';
import type { ProblemCode, RequestResult } from '../service-adapter.ts';

/** Maximum length of a server's error message that the extension stores and shows. */
export const MAX_MESSAGE_LENGTH = 300;

/** Error codes of permanent failures for which the extension has a specific message. */
const KNOWN = new Map<string | undefined, ProblemCode>([
  ['short_code_taken', 'short_code_taken'],
  ['invalid_short_code', 'invalid_short_code'],
  ['target_refused', 'target_refused'],
  ['invalid_expiry', 'expired'],
]);

/** Status codes that mean that a gateway did not forward the request to the server. */
const NOT_FORWARDED = [408, 425, 503, 521, 523, 525, 526, 530];

/** Status codes with which a gateway may refuse a request that the server would accept. */
const REFUSED_BY_GATEWAY = [401, 403, 407, 451];

export interface ErrorResponse {
  status: number;
  body: unknown;
  retryAfterSeconds: number | null;
  quotaSpent: boolean;
}

/**
 * Converts an error response to a result. JSON with an `error` field comes from the server. Any other body comes from
 * a gateway in front of the server.
 * Error codes are optional in the API, so the HTTP status decides if there is no code.
 */
export function readErrorResponse({ status, body, retryAfterSeconds, quotaSpent }: ErrorResponse): RequestResult {
  const parsed = ErrorBody.safeParse(body);
  const message = parsed.success ? parsed.data.error.slice(0, MAX_MESSAGE_LENGTH) : '';
  const code = parsed.success ? parsed.data.code : undefined;
  if (status === 429) {
    const isQuotaSpent = code === 'quota_exceeded' || (code !== 'throttled' && quotaSpent);
    return {
      kind: 'refused_for_now',
      code: isQuotaSpent ? 'quota_exceeded' : 'throttled',
      message,
      retryAfterSeconds,
    };
  }
  if (!parsed.success) return readGatewayError(status);
  const known = KNOWN.get(code);
  if (status < 500 && (code === 'invalid_url' || (!known && message === INVALID_URL_MESSAGE))) {
    return { kind: 'refused', code: 'invalid_url', message };
  }
  const isBusy = status === 503 || status === 408 || status === 425 || code === 'request_in_flight';
  if (isBusy) return { kind: 'refused_for_now', code: 'busy', message, retryAfterSeconds };
  if (status >= 500) return { kind: 'unclear', code: 'server_error', message };
  if (status === 403 && code === 'forbidden') return { kind: 'refused', code: 'forbidden', message };
  if (status === 401 || (status === 403 && !isAboutUrl(code)))
    return { kind: 'refused', code: 'unauthorized', message };
  if (status === 404 || status === 405) return { kind: 'refused', code: 'not_a_service', message };
  // The API's general message for invalid URLs says less than the error code, so it is not shown.
  return { kind: 'refused', code: known ?? 'refused', message: message === INVALID_URL_MESSAGE ? '' : message };
}

/** True if a response body is an error of the server itself, not of a gateway. */
export function isErrorBody(body: unknown): boolean {
  return ErrorBody.safeParse(body).success;
}

/**
 * Converts a gateway's error to a result. The server may have created a link only if the status is a 5xx and the
 * gateway forwarded the request.
 */
function readGatewayError(status: number): RequestResult {
  const message = '';
  if (NOT_FORWARDED.includes(status)) return { kind: 'not_made', code: 'server_error', message };
  if (status >= 500) return { kind: 'unclear', code: 'server_error', message };
  if (REFUSED_BY_GATEWAY.includes(status)) return { kind: 'not_made', code: 'gateway_refused', message };
  if (status === 404 || status === 405) return { kind: 'not_made', code: 'not_a_service', message };
  return { kind: 'refused', code: 'refused', message };
}

/**
 * True if a 403 response with this error code is about the URL. Without an error code, it may be about the API key.
 */
function isAboutUrl(code: string | undefined): boolean {
  return code !== undefined && code !== 'unauthorized';
}
