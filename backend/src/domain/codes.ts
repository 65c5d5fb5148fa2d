import { SHORT_CODE_PATTERN } from '@terse/contract';
import { type Random, randomText } from './random.ts';

/** Letters and digits without those that read alike: 0 O, 1 I l i. */
export const CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnopqrstuvwxyz';

const SHORTEST = 7;
const LONGEST = 16;

/** What a client needs to mint codes like ours. Ours are longer where this length is filling up. */
export const NEW_CODES = { alphabet: CODE_ALPHABET, length: SHORTEST } as const;

const CODES_PER_LENGTH = 4;

/** Paths that the service may want for itself one day, on a host that it shares with its short URLs. In any case of letters. */
const RESERVED = new Set(
  `about abuse account accounts admin analytics api app assets auth batch contact dashboard docs download export favicon
  health healthz help home import index invite key keys legal link links login logout metrics new openapi password
  privacy qr readyz register report robots search security session sessions settings setup shorten sign-in sign-out
  sign-up signin signout signup sitemap static stats status support terms url urls user users v1 v2 well-known www`.split(
    /\s+/,
  ),
);

/** Whether a code is kept for the service itself. */
export function isReserved(code: string): boolean {
  return RESERVED.has(code.toLowerCase());
}

/** Whether a text has the form of a new short code, chosen or generated. Codes of imported links may have others. */
export function isShortCode(text: string): boolean {
  return SHORT_CODE_PATTERN.test(text);
}

/**
 * Codes to try for one new link, in order; each iteration makes new ones. The store takes the first that is free. Where
 * four in a row are taken, that length is filling up, so the next ones are a symbol longer. Where even the longest are
 * taken something else is wrong, and it throws.
 */
export function generatedCodes(random: Random): Iterable<string> {
  return { [Symbol.iterator]: () => generate(random) };
}

function* generate(random: Random): Generator<string, void> {
  for (let length = SHORTEST; length <= LONGEST; length += 1) {
    for (let count = 0; count < CODES_PER_LENGTH; ) {
      const code = randomText(random, CODE_ALPHABET, length);
      if (isReserved(code)) continue;
      count += 1;
      yield code;
    }
  }
  throw new Error('No free short code was found.');
}
