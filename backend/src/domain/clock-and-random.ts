import { createHash, randomBytes } from 'node:crypto';

/** Returns the current time in milliseconds since 1970. Tests replace this function to control the time. */
export type Clock = () => number;

export type Random = (count: number) => Uint8Array;

export const systemRandom: Random = randomBytes;

/** Returns `length` random symbols from an alphabet of at most 256 symbols. Each symbol is equally likely. */
export function randomText(random: Random, alphabet: string, length: number): string {
  // Random bytes at or above this limit are skipped, because they would make the first symbols of the alphabet more
  // likely.
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

/** Generates a token with 256 random bits. URLs and cookies can contain the token without escaping. */
export function generateToken(random: Random): string {
  return Buffer.from(random(LENGTH)).toString('base64url');
}

export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** Hashes a token for storage. A plain SHA-256 hash is sufficient because the token has 256 random bits. */
export function hashToken(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}
