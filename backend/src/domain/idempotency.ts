import { createHash } from 'node:crypto';
import { IDEMPOTENCY_KEY_PATTERN } from '@terse/contract';

/** How long an answer is kept for its key, in milliseconds. */
export const KEPT_FOR = 30 * 86_400_000;

/** What makes two requests the same one: the endpoint and every byte of the body. */
export function fingerprint(endpoint: string, body: Uint8Array): Uint8Array {
  return createHash('sha256').update(endpoint).update('\n').update(body).digest();
}

/** Whether a text can be an `Idempotency-Key`. */
export function isIdempotencyKey(text: string): boolean {
  return IDEMPOTENCY_KEY_PATTERN.test(text);
}
