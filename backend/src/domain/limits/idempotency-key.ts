import { createHash } from 'node:crypto';
import { IDEMPOTENCY_KEY_PATTERN } from '@terse/contract';

/** Time for which the response to a request with an idempotency key is cached, in milliseconds. */
export const CACHED_FOR_MS = 30 * 86_400_000;

/** Returns a hash of the endpoint and the request body. Requests are considered equal if their hashes are equal. */
export function fingerprint(endpoint: string, body: Uint8Array): Uint8Array {
  return createHash('sha256').update(endpoint).update('\n').update(body).digest();
}

/**
 * Returns a hash of the fields of a link to create. The hash does not depend on the formatting of the JSON, and is
 * the same for a single request and for an item of a batch. Every field has a fixed position in the hashed data.
 * Otherwise, the value of one field could be read as another field.
 */
export function linkFingerprint(item: unknown): Uint8Array {
  const { url, shortCode, domain, title, expiresAt, forwardQuery, tags } = (
    typeof item === 'object' && item !== null ? item : {}
  ) as Record<string, unknown>;
  const fields = [url, shortCode, domain, title, expiresAt, forwardQuery].map(flat);
  return fingerprint(
    '/api/v1/urls',
    Buffer.from(JSON.stringify([...fields, Array.isArray(tags) ? tags.map(flat) : flat(tags)])),
  );
}

/**
 * Returns a field in a form that JSON can contain. Arrays, objects and numbers that are too large become an empty
 * object: links with such fields are invalid anyway, and deep nesting would make serialization fail.
 */
function flat(field: unknown): unknown {
  if (field === undefined || field === null) return null;
  return typeof field === 'object' || field === Number.POSITIVE_INFINITY || field === Number.NEGATIVE_INFINITY
    ? {}
    : field;
}

export function isIdempotencyKey(text: string): boolean {
  return IDEMPOTENCY_KEY_PATTERN.test(text);
}

export interface Idempotency {
  key: string;
  endpoint: string;
  fingerprint: Uint8Array;
}

export interface CachedResponse {
  fingerprint: Uint8Array;
  createdAt: number;
}

/**
 * Decides about a request with an idempotency key. `replay`: the client gets the cached response. `reuse`: the key
 * belongs to a different request. `make`: there is no valid cached response.
 */
export function decideReplay(
  fingerprint: Uint8Array | null,
  cached: CachedResponse | null,
  now: number,
): 'make' | 'replay' | 'reuse' {
  if (!fingerprint || cached === null || cached.createdAt <= now - CACHED_FOR_MS) return 'make';
  return Buffer.compare(cached.fingerprint, fingerprint) === 0 ? 'replay' : 'reuse';
}
