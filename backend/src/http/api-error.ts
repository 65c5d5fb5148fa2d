import {
  ERROR_STATUS,
  type ErrorCode,
  INVALID_URL_MESSAGE,
  TAG_LENGTH_LIMIT,
  TAGS_LIMIT,
  TITLE_LIMIT,
} from '@terse/contract';
import type { JsonResponse } from '../store/sql/create-request.ts';

/** Standard message of each error code. */
export const MESSAGES: Record<ErrorCode, string> = {
  invalid_json: 'The request body is not valid JSON.',
  invalid_request: 'The request does not have the form that this endpoint expects.',
  invalid_url: INVALID_URL_MESSAGE,
  invalid_short_code:
    'A short code must have 3 to 64 letters, digits, hyphens or underscores, and must not be a reserved word.',
  invalid_domain: 'This service has no such domain. GET /api lists its domains.',
  invalid_title: `A title must be text of at most ${TITLE_LIMIT} characters.`,
  invalid_expiry: 'The expiry must be a date and time in the future.',
  invalid_tags: `Tags must be a list of at most ${TAGS_LIMIT} texts, each with 1 to ${TAG_LENGTH_LIMIT} characters and without commas.`,
  invalid_idempotency_key: 'An Idempotency-Key must have 1 to 255 visible ASCII characters.',
  target_refused: INVALID_URL_MESSAGE,
  unauthorized: 'This request needs a valid API key.',
  forbidden: 'This is not allowed.',
  not_found: 'This address does not exist.',
  method_not_allowed: 'This address does not accept this method.',
  short_code_taken: 'This short code is taken.',
  request_in_flight: 'A request with this Idempotency-Key is still being processed.',
  gone: 'This link is gone.',
  request_timeout: 'The request took too long to arrive.',
  body_too_large: 'The request body is larger than 64 KiB.',
  unsupported_media_type: 'The request body must be application/json.',
  idempotency_key_reused: 'This Idempotency-Key was already used for a different request.',
  headers_too_large: 'The request headers are too large.',
  throttled: 'Too many requests. Wait a moment and try again.',
  quota_exceeded: 'The daily quota of this API key, or of its account, is used up.',
  internal_error: 'Something went wrong on our side.',
  shutting_down: 'The service is restarting. Try again in a moment.',
  unavailable: 'The service cannot reach its database. Try again in a moment.',
};

/**
 * Content Security Policy for all responses except pages and their files. If a browser opens such a response, it
 * neither runs scripts nor loads other files.
 */
export const NO_CONTENT_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, options: { message?: string; headers?: Record<string, string> } = {}) {
    super(options.message ?? MESSAGES[code]);
    this.code = code;
    this.headers = options.headers ?? {};
  }
}

/** Runs an action and returns its result. If the action throws an ApiError, returns the error instead. */
export function orApiError<Value>(action: () => Value): Value | ApiError {
  try {
    return action();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Headers of all error responses that are not pages. */
export const ERROR_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': NO_CONTENT_POLICY,
};

/** Returns the status and the JSON body of an error response. All errors of the API have this format. */
export function errorJson(error: ApiError): JsonResponse {
  const body = JSON.stringify({ error: error.message, code: error.code });
  return { status: ERROR_STATUS[error.code], body, location: null };
}

export function errorResponse(error: ApiError): Response {
  const { status, body } = errorJson(error);
  return new Response(body, { status, headers: { ...ERROR_HEADERS, ...error.headers } });
}
