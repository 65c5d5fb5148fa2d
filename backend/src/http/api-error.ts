import { ERROR_STATUS, type ErrorCode, INVALID_URL_MESSAGE, TITLE_LIMIT } from '@terse/contract';

/** The sentence for people that goes with each code, unless an error brings a better one. */
const SENTENCES: Record<ErrorCode, string> = {
  invalid_json: 'The request body is not valid JSON.',
  invalid_request: 'The request is not in the form this endpoint takes.',
  invalid_url: INVALID_URL_MESSAGE,
  invalid_short_code: 'A short code is 3 to 64 letters, digits, hyphens or underscores, and not a reserved word.',
  invalid_title: `A title is text of at most ${TITLE_LIMIT} characters.`,
  invalid_expiry: 'The expiry must be an instant in the future.',
  invalid_idempotency_key: 'An Idempotency-Key is 1 to 255 visible ASCII characters.',
  target_refused: INVALID_URL_MESSAGE,
  unauthorized: 'This request needs a valid API key.',
  forbidden: 'This is not allowed.',
  not_found: 'There is nothing at this address.',
  method_not_allowed: 'This address does not take that method.',
  short_code_taken: 'This short code is taken.',
  request_in_flight: 'A request with this Idempotency-Key is still under way.',
  gone: 'This link is gone.',
  request_timeout: 'The request took too long to arrive.',
  body_too_large: 'The request body is larger than 64 KiB.',
  unsupported_media_type: 'The request body must be application/json.',
  idempotency_key_reused: 'This Idempotency-Key was used for a different request.',
  headers_too_large: 'The request headers are too large.',
  throttled: 'Too many requests at once. Wait a moment and try again.',
  quota_exceeded: 'The daily quota of this API key, or of its account, is used up.',
  internal_error: 'Something went wrong on our side.',
  shutting_down: 'The service is restarting. Try again in a moment.',
  unavailable: 'The service cannot reach its database just now. Try again in a moment.',
};

/** The sentence of a code for people. */
export function sentenceOf(code: ErrorCode): string {
  return SENTENCES[code];
}

/** A request that is answered with an error. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, options: { sentence?: string; headers?: Record<string, string> } = {}) {
    super(options.sentence ?? SENTENCES[code]);
    this.code = code;
    this.headers = options.headers ?? {};
  }
}

/** The value, or the error of the API that was thrown instead. */
export function orApiError<Value>(action: () => Value): Value | ApiError {
  try {
    return action();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** An answer before it is sent. */
export interface Answer {
  status: number;
  body: string;
  location: string | null;
}

/** The status and body of an error, the one form every error of the API has. */
export function errorAnswer(error: ApiError): Answer {
  const body = JSON.stringify({ error: error.message, code: error.code });
  return { status: ERROR_STATUS[error.code], body, location: null };
}

export function errorResponse(error: ApiError): Response {
  const { status, body } = errorAnswer(error);
  return new Response(body, { status, headers: { 'Content-Type': 'application/json', ...error.headers } });
}
