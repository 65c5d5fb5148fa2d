import { createHash } from 'node:crypto';
import { IDEMPOTENCY_KEY_PATTERN } from '@terse/contract';

/** How long an answer is kept for its key, in milliseconds. */
export const CACHED_FOR_MS = 30 * 86_400_000;

/** What makes two requests the same one: the endpoint and every byte of the body. */
export function fingerprint(endpoint: string, body: Uint8Array): Uint8Array {
  return createHash('sha256').update(endpoint).update('\n').update(body).digest();
}

/**
 * Returns the same for a link that is asked for alone or as an item of a batch. Only its four fields count, not how the JSON is
 * written.
 */
export function linkFingerprint(item: unknown): Uint8Array {
  const { url, shortCode, title, expiresAt } = (typeof item === 'object' && item !== null ? item : {}) as Record<
    string,
    unknown
  >;
  const fields = [url, shortCode ?? null, title ?? null, expiresAt ?? null];
  return fingerprint('/api/v1/urls', Buffer.from(JSON.stringify(fields.map(flat))));
}

/** A list or an object is no valid field, and may be nested too deep to be written. */
function flat(field: unknown): unknown {
  return typeof field === 'object' && field !== null ? [] : field;
}

/** Whether a text can be an `Idempotency-Key`. */
export function isIdempotencyKey(text: string): boolean {
  return IDEMPOTENCY_KEY_PATTERN.test(text);
}

/** An idempotency key as a request names it, with the fingerprint of the request. */
export interface Idempotency {
  key: string;
  endpoint: string;
  fingerprint: Uint8Array;
}

/** Idempotency key of a batch item. The draft is stored in its cached response. */
export interface ItemIdempotency extends Idempotency {
  draft: string;
}
