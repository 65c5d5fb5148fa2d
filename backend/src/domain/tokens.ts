import { createHash } from 'node:crypto';
import type { Random } from './random.ts';

const LENGTH = 32;

/** A secret of 256 random bits, in letters that a URL and a cookie take as they are. */
export function mintToken(random: Random): string {
  return Buffer.from(random(LENGTH)).toString('base64url');
}

/** Whether a text can be a token at all. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** What is stored of a token. It is random enough that a plain SHA-256 cannot be searched. */
export function hashToken(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}
