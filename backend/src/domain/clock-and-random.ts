import { createHash, randomBytes } from 'node:crypto';

/** Milliseconds since the epoch. Passed in everywhere time matters, so that rules are tested without waiting. */
export type Clock = () => number;

/** Bytes nobody can foretell. */
export type Random = (count: number) => Uint8Array;

/** Bytes asked of the system at once: a call costs far more than the bytes. */
const AT_ONCE = 4096;

let left = new Uint8Array();

/** The system's cryptographically secure generator. No byte is given out twice. */
export const systemRandom: Random = (count) => {
  if (left.length < count) left = randomBytes(Math.max(count, AT_ONCE));
  const bytes = left.subarray(0, count);
  left = left.subarray(count);
  return bytes;
};

/** `length` symbols of `alphabet`, each equally likely; the alphabet holds at most 256. */
export function randomText(random: Random, alphabet: string, length: number): string {
  // A byte beyond the largest multiple of the alphabet would favour its first symbols.
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

/** A secret of 256 random bits, in letters that a URL and a cookie take as they are. */
export function generateToken(random: Random): string {
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
