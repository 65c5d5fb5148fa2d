import * as z from 'zod/mini';

/**
 * HTTP status for each error code. Clients should rely on the error code instead of the message, because the message
 * is intended for users.
 */
export const ERROR_STATUS = {
  invalid_json: 400,
  invalid_request: 400,
  invalid_url: 400,
  invalid_short_code: 400,
  invalid_domain: 400,
  invalid_title: 400,
  invalid_expiry: 400,
  invalid_tags: 400,
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

/** Message for an invalid URL, as required by the specification (section 7). */
export const INVALID_URL_MESSAGE = 'Please enter a valid URL.';

/**
 * Body of all error responses. Services other than Terse may omit `code`, because the specification requires only
 * `error`. Clients must accept unknown codes.
 */
export const ErrorBody = z.object({
  error: z.string().check(z.describe('A message for people. Its wording can change.')),
  code: z.optional(z.string()).check(z.describe('A stable code for programs.')),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/**
 * Returns the error code of a response, or null if the response does not come from the service. Proxies and captive
 * portals send the same HTTP statuses, so the body must also contain a known error code that matches the status.
 */
export function ownErrorCode(status: number, body: unknown): ErrorCode | null {
  const code = ErrorBody.safeParse(body).data?.code ?? '';
  return isErrorCode(code) && ERROR_STATUS[code] === status ? code : null;
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUS, code);
}
