import { randomBytes } from 'node:crypto';

/** Bytes nobody can foretell. */
export type Random = (count: number) => Uint8Array;

/** The system's cryptographically secure generator. */
export const systemRandom: Random = randomBytes;

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
