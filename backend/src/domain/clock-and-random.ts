import { createHash, randomBytes } from 'node:crypto';

/** Returns milliseconds since the epoch. Passed in, so that tests control time. */
export type Clock = () => number;

/** Returns unpredictable bytes. */
export type Random = (count: number) => Uint8Array;

/** Number of bytes requested from the system at once, because a call costs far more than the bytes. */
const CHUNK_SIZE = 4096;

let left = new Uint8Array();

/** The system's cryptographically secure generator. No byte is returned twice. */
export const systemRandom: Random = (count) => {
  if (left.length < count) left = randomBytes(Math.max(count, CHUNK_SIZE));
  const bytes = left.subarray(0, count);
  left = left.subarray(count);
  return bytes;
};

/** Returns `length` random symbols of `alphabet`, which has at most 256, each equally likely. */
export function randomText(random: Random, alphabet: string, length: number): string {
  // Bytes above the largest multiple of the alphabet's size would favor its first symbols.
  const bound = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of random(length - text.length)) {
      if (byte < bound) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}

const LENGTH = 32;

/** Generates a secret of 256 random bits that needs no escaping in URLs and cookies. */
export function generateToken(random: Random): string {
  return Buffer.from(random(LENGTH)).toString('base64url');
}

/** True if a text has the form of a token. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** Returns the stored hash of a token. A plain SHA-256 is sufficient, because a token has 256 random bits. */
export function hashToken(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}
