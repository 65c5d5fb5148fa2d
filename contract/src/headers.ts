/** Header names in the casing they are documented with; HTTP compares them without case. */
export const HEADER = {
  authorization: 'Authorization',
  apiKey: 'X-API-Key',
  idempotencyKey: 'Idempotency-Key',
  idempotencyReplayed: 'Idempotency-Replayed',
  rateLimit: 'RateLimit',
  rateLimitPolicy: 'RateLimit-Policy',
  retryAfter: 'Retry-After',
} as const;

/** What an `Idempotency-Key` may be: 1 to 255 visible ASCII characters; ours are UUIDs. */
export const IDEMPOTENCY_KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;
