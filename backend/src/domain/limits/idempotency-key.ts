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
 * the same for a single request and for an item of a batch. A link that uses only the fields of version 0.2 has the
 * same hash as in that version, because stored hashes must remain valid.
 */
export function linkFingerprint(item: unknown): Uint8Array {
  const { url, shortCode, domain, title, expiresAt, forwardQuery, tags } = (
    typeof item === 'object' && item !== null ? item : {}
  ) as Record<string, unknown>;
  const fields = [url, shortCode ?? null, title ?? null, expiresAt ?? null].map(flat);
  if (forwardQuery != null || tags != null) {
    fields.push(flat(forwardQuery ?? null), Array.isArray(tags) ? tags.map(flat) : flat(tags ?? null));
  }
  if (domain != null) fields.push('domain', flat(domain));
  return fingerprint('/api/v1/urls', Buffer.from(JSON.stringify(fields)));
}

/**
 * Replaces an array or object with an empty array, because deep nesting would make serialization fail. Links with
 * such fields are invalid anyway.
 */
function flat(field: unknown): unknown {
  return typeof field === 'object' && field !== null ? [] : field;
}

export function isIdempotencyKey(text: string): boolean {
  return IDEMPOTENCY_KEY_PATTERN.test(text);
}

export interface Idempotency {
  key: string;
  endpoint: string;
  fingerprint: Uint8Array;
}

/**
 * Idempotency key of one link in a batch request. `draft` contains the data that is needed to send the same response
 * again.
 */
export interface ItemIdempotency extends Idempotency {
  draft: string;
}
