import * as z from 'zod/mini';

/**
 * Every error the service answers: its stable code and the HTTP status it always comes with.
 * The sentence for people travels in the body; programs decide by the code alone.
 */
export const ERROR_STATUS = {
  invalid_json: 400,
  invalid_request: 400,
  invalid_url: 400,
  invalid_short_code: 400,
  invalid_title: 400,
  invalid_expiry: 400,
  invalid_idempotency_key: 400,
  target_refused: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  short_code_taken: 409,
  request_in_flight: 409,
  gone: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  throttled: 429,
  quota_exceeded: 429,
  headers_too_large: 431,
  internal_error: 500,
  shutting_down: 503,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The specification's own sentence for a URL it does not take (section 7). */
export const INVALID_URL_SENTENCE = 'Please enter a valid URL.';

/**
 * The body of any error. The specification promises `error` alone. `code` is our service's addition: other services' answers
 * parse without it, and a client must expect codes that it does not know.
 */
export const ErrorBody = z.object({
  error: z.string(),
  code: z.optional(z.string()),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/**
 * Returns the code of an error that the service itself answered, or null. A proxy or a captive portal answers with the
 * same statuses, so the body needs a code of the contract that goes with the status.
 */
export function ownErrorCode(status: number, body: unknown): ErrorCode | null {
  const code = ErrorBody.safeParse(body).data?.code ?? '';
  return isErrorCode(code) && ERROR_STATUS[code] === status ? code : null;
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUS, code);
}
