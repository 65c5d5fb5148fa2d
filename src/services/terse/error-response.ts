import { ErrorBody, INVALID_URL_MESSAGE } from '@terse/contract/errors';
import { gatewayError, messageOf } from '../response-to-result.ts';
import type { ProblemCode, RequestResult } from '../service-adapter.ts';

/** Error codes of permanent failures for which the extension has a specific message. */
const KNOWN = new Map<string | undefined, ProblemCode>([
  ['short_code_taken', 'short_code_taken'],
  ['invalid_short_code', 'invalid_short_code'],
  ['target_refused', 'target_refused'],
  ['invalid_expiry', 'expired'],
]);

export interface ErrorResponse {
  status: number;
  body: unknown;
  retryAfterSeconds: number | null;
  quotaSpent: boolean;
}

/**
 * Converts an error response to a result. JSON with an `error` field comes from the server. Any other body comes from
 * a gateway in front of the server. Error codes are optional in the API. If the response has no code, its HTTP status
 * decides.
 */
export function readErrorResponse({ status, body, retryAfterSeconds, quotaSpent }: ErrorResponse): RequestResult {
  const parsed = ErrorBody.safeParse(body);
  const message = messageOf(parsed.data?.error);
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
  if (!parsed.success) return gatewayError(status);
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
  // The API's general message for invalid URLs is not shown, because the error code is more specific.
  return { kind: 'refused', code: known ?? 'refused', message: message === INVALID_URL_MESSAGE ? '' : message };
}

/** True if a response body is an error from the server itself, not from a gateway. */
export function isErrorBody(body: unknown): boolean {
  return ErrorBody.safeParse(body).success;
}

/**
 * True if a 403 response refuses the URL instead of the API key. Without an error code, the response may refuse
 * either, so the result is false.
 */
function isAboutUrl(code: string | undefined): boolean {
  return code !== undefined && code !== 'unauthorized';
}
