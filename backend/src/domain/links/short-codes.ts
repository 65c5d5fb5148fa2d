import { SHORT_CODE_PATTERN } from '@terse/contract';
import { type Random, randomText } from '../clock-and-random.ts';

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
export function generateCodes(random: Random): Iterable<string> {
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

/** The longest code that a link can have, in characters: the services that links come from take no more. */
export const MAX_CODE_LENGTH = 255;

/** Maximum number of characters that one letter of a code can be decomposed into. */
const MAX_DECOMPOSED = 4;

/** What no code holds: blanks and controls, marks that turn text around, and what ends or escapes a path in a URL. */
const FORBIDDEN = /[\p{Z}\p{Cc}\p{Bidi_Control}?#%\\]/u;

/** Paths that clients ask a host for by themselves. In lower case. */
const OWN_PATHS = new Set(['favicon.ico', 'robots.txt', 'security.txt', 'sitemap.xml', 'apple-touch-icon.png']);

/**
 * Whether a text can be the code of a link. Links that were imported keep theirs, which may have a single character, several
 * segments (`team/2026/plan`) or other letters than ours (`🚀`); `isShortCode` is the stricter rule for new ones.
 */
export function isLinkCode(text: string): boolean {
  if (isShortCode(text)) return true;
  if (text.length > MAX_CODE_LENGTH || FORBIDDEN.test(text) || !text.isWellFormed() || isOwnPath(text)) return false;
  // A browser takes `.` and `..` out of a path before it asks for it.
  return text.split('/').every((segment) => !['', '.', '..'].includes(segment));
}

/** Whether a path of the short host is none of a link's, whatever links there are. */
function isOwnPath(path: string): boolean {
  const lower = path.toLowerCase();
  return OWN_PATHS.has(lower) || lower.split('/', 1)[0] === '.well-known';
}

/** What is wrong with the code of a link that comes from another service; null where nothing is. */
export function importedCodeError(code: string, mayUseReserved: boolean): 'malformed' | 'reserved' | null {
  if (isOwnPath(code)) return 'reserved';
  if (!isLinkCode(code)) return 'malformed';
  return mayUseReserved || !isReserved(code.split('/', 1)[0] as string) ? null : 'reserved';
}

/**
 * The code that a URL's path stands for, its first slash left out; null where it cannot be one. Percent-encoded letters are
 * the same (RFC 3986, section 2.3), an accent may be composed either way, and addresses are often pasted with a trailing slash.
 */
export function codeInPath(path: string): string | null {
  if (isShortCode(path)) return path;
  try {
    const code = composedCode(decodeURIComponent(path.replace(/\/$/, '')));
    return isLinkCode(code) ? code : null;
  } catch {
    // Not UTF-8.
    return null;
  }
}

/** A code in its normalized form (NFC). A text that is too long for any code is returned unchanged: normalizing it could take seconds. */
export function composedCode(code: string): string {
  return code.length > MAX_CODE_LENGTH * MAX_DECOMPOSED ? code : code.normalize('NFC');
}

/** The path of a code in a URL, without its first slash. */
export function codePath(code: string): string {
  return isShortCode(code) ? code : code.split('/').map(encodeURIComponent).join('/');
}

/** The path in what a request asks for (RFC 9112, section 3.2), without its query; empty where there is none. */
export function pathIn(target: string): string {
  // A proxy may send the whole address.
  const path = target.startsWith('/') ? target : (URL.parse(target)?.pathname ?? '');
  const query = path.indexOf('?');
  return query === -1 ? path : path.slice(0, query);
}
