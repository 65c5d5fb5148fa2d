import { createHash, randomBytes } from 'node:crypto';

/** Returns milliseconds since 1970. Tests replace the clock to control the time. */
export type Clock = () => number;

export type Random = (count: number) => Uint8Array;

/**
 * Number of random bytes requested from the operating system at once. Requests are expensive regardless of the number
 * of bytes.
 */
const CHUNK_SIZE = 4096;

let left = new Uint8Array();

/** Returns bytes from the operating system's cryptographically secure generator. */
export const systemRandom: Random = (count) => {
  if (left.length < count) left = randomBytes(Math.max(count, CHUNK_SIZE));
  const bytes = left.subarray(0, count);
  left = left.subarray(count);
  return bytes;
};

/** Returns a random text. Each symbol of the alphabet, which has at most 256 symbols, is equally likely. */
export function randomText(random: Random, alphabet: string, length: number): string {
  // Random bytes above the largest multiple of the alphabet's size are skipped. They would make the first symbols
  // more likely.
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

/** Generates a secret with 256 random bits. It can be used in URLs and cookies without escaping. */
export function generateToken(random: Random): string {
  return Buffer.from(random(LENGTH)).toString('base64url');
}

/** True if the text has the format of a token from `generateToken`. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/**
 * Returns the hash of a token, which is stored instead of the token. A plain SHA-256 is sufficient because a token
 * has 256 random bits.
 */
export function hashToken(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}
