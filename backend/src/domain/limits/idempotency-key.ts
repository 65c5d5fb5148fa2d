import { createHash } from 'node:crypto';
import { IDEMPOTENCY_KEY_PATTERN } from '@terse/contract';

/** Time for which a response is cached for repeated requests, in milliseconds. */
export const CACHED_FOR_MS = 30 * 86_400_000;

/** Returns a hash of the endpoint and the request body. Requests with equal hashes count as the same request. */
export function fingerprint(endpoint: string, body: Uint8Array): Uint8Array {
  return createHash('sha256').update(endpoint).update('\n').update(body).digest();
}

/**
 * Returns a hash of the four fields of a link request. The hash does not depend on the JSON formatting. It is the
 * same if the link is requested alone or in a batch.
 */
export function linkFingerprint(item: unknown): Uint8Array {
  const { url, shortCode, title, expiresAt } = (typeof item === 'object' && item !== null ? item : {}) as Record<
    string,
    unknown
  >;
  const fields = [url, shortCode ?? null, title ?? null, expiresAt ?? null];
  return fingerprint('/api/v1/urls', Buffer.from(JSON.stringify(fields.map(flat))));
}

/** Arrays and objects are replaced, because they are invalid here and could be nested too deeply to be serialized. */
function flat(field: unknown): unknown {
  return typeof field === 'object' && field !== null ? [] : field;
}

/** True if the text is a valid `Idempotency-Key` header. */
export function isIdempotencyKey(text: string): boolean {
  return IDEMPOTENCY_KEY_PATTERN.test(text);
}

/** Idempotency key of a request, with a hash of the request. */
export interface Idempotency {
  key: string;
  endpoint: string;
  fingerprint: Uint8Array;
}

/** Idempotency key of one link in a batch request. The draft is stored in the cached response. */
export interface ItemIdempotency extends Idempotency {
  draft: string;
}
