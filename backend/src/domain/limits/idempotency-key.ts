import { createHash } from 'node:crypto';
import { IDEMPOTENCY_KEY_PATTERN } from '@terse/contract';

/** Time for which a response is cached, in milliseconds. */
export const CACHED_FOR_MS = 30 * 86_400_000;

/** Returns a hash of the endpoint and all bytes of the body. Two requests are the same if it is equal. */
export function fingerprint(endpoint: string, body: Uint8Array): Uint8Array {
  return createHash('sha256').update(endpoint).update('\n').update(body).digest();
}

/**
 * Returns the same hash for a link requested alone or in a batch. Only its four fields count, not the formatting of
 * the JSON.
 */
export function linkFingerprint(item: unknown): Uint8Array {
  const { url, shortCode, title, expiresAt } = (typeof item === 'object' && item !== null ? item : {}) as Record<
    string,
    unknown
  >;
  const fields = [url, shortCode ?? null, title ?? null, expiresAt ?? null];
  return fingerprint('/api/v1/urls', Buffer.from(JSON.stringify(fields.map(flat))));
}

/** Arrays and objects are not valid fields, and may be nested too deeply to be serialized. */
function flat(field: unknown): unknown {
  return typeof field === 'object' && field !== null ? [] : field;
}

/** True if a text can be an `Idempotency-Key`. */
export function isIdempotencyKey(text: string): boolean {
  return IDEMPOTENCY_KEY_PATTERN.test(text);
}
