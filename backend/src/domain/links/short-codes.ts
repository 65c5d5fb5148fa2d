import { SHORT_CODE_PATTERN } from '@terse/contract';
import { type Random, randomText } from '../clock-and-random.ts';

/** Letters and digits without those that look alike: 0 O, 1 I l i. */
export const CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnopqrstuvwxyz';

const MIN_GENERATED_LENGTH = 7;
const MAX_GENERATED_LENGTH = 16;

/**
 * Alphabet and length for clients that generate codes. The service generates longer codes once this length fills up.
 */
export const NEW_CODES = { alphabet: CODE_ALPHABET, length: MIN_GENERATED_LENGTH } as const;

const CODES_PER_LENGTH = 4;

/** Paths reserved for the service, which may share its host with the short URLs. Case-insensitive. */
const RESERVED = new Set(
  `about abuse account accounts admin analytics api app assets auth batch contact dashboard docs download export favicon
  health healthz help home import index invite key keys legal link links login logout metrics new openapi password
  privacy qr readyz register report robots search security session sessions settings setup shorten sign-in sign-out
  sign-up signin signout signup sitemap static stats status support terms url urls user users v1 v2 well-known www`.split(
    /\s+/,
  ),
);

/** True if a code is reserved for the service. */
export function isReserved(code: string): boolean {
  return RESERVED.has(code.toLowerCase());
}

/** True if a text has the form of a new short code, chosen or generated. Imported codes may have other forms. */
export function isShortCode(text: string): boolean {
  return SHORT_CODE_PATTERN.test(text);
}

/**
 * Generates codes to try for one new link. The store uses the first free one. After four taken codes the next ones
 * are a symbol longer, because that length is filling up. Throws if even the longest are taken, since something else
 * must be wrong.
 */
export function generateCodes(random: Random): Iterable<string> {
  return { [Symbol.iterator]: () => generate(random) };
}

function* generate(random: Random): Generator<string, void> {
  for (let length = MIN_GENERATED_LENGTH; length <= MAX_GENERATED_LENGTH; length += 1) {
    for (let count = 0; count < CODES_PER_LENGTH; ) {
      const code = randomText(random, CODE_ALPHABET, length);
      if (isReserved(code)) continue;
      count += 1;
      yield code;
    }
  }
  throw new Error('No free short code was found.');
}

/** Maximum length of a code in characters. No other service allows more. */
export const MAX_CODE_LENGTH = 255;

/** Maximum number of characters that one letter of a code can be decomposed into. */
const MAX_DECOMPOSED = 4;

/**
 * Characters that codes cannot contain: spaces, control characters, bidirectional marks, and those that end or escape
 * a URL's path.
 */
const FORBIDDEN = /[\p{Z}\p{Cc}\p{Bidi_Control}?#%\\]/u;

/** Paths that clients request on their own initiative. In lower case. */
const OWN_PATHS = new Set(['favicon.ico', 'robots.txt', 'security.txt', 'sitemap.xml', 'apple-touch-icon.png']);

/**
 * True if a text can be the code of a link. Imported codes may have a single character, several segments
 * (`team/2026/plan`) or other letters (`🚀`). `isShortCode` is the stricter rule for new codes.
 */
export function isLinkCode(text: string): boolean {
  if (isShortCode(text)) return true;
  if (text.length > MAX_CODE_LENGTH || FORBIDDEN.test(text) || !text.isWellFormed() || isOwnPath(text)) return false;
  // Browsers remove `.` and `..` from a path before they request it.
  return text.split('/').every((segment) => !['', '.', '..'].includes(segment));
}

/** True if a path of the short host never belongs to a link. */
function isOwnPath(path: string): boolean {
  const lower = path.toLowerCase();
  return OWN_PATHS.has(lower) || lower.split('/', 1)[0] === '.well-known';
}

/** Returns why an imported code is not allowed, or null if it is. */
export function importedCodeError(code: string, mayUseReserved: boolean): 'malformed' | 'reserved' | null {
  if (isOwnPath(code)) return 'reserved';
  if (!isLinkCode(code)) return 'malformed';
  return mayUseReserved || !isReserved(code.split('/', 1)[0] as string) ? null : 'reserved';
}

/**
 * Returns the code of a URL's path, which has no leading slash here, or null if it cannot be one. Decodes
 * percent-encoding (RFC 3986, section 2.3), composes accents, and ignores a trailing slash, which pasted URLs often
 * have.
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

/**
 * Normalizes a code (NFC). A text longer than any code is returned unchanged, because normalizing it could take
 * seconds.
 */
export function composedCode(code: string): string {
  return code.length > MAX_CODE_LENGTH * MAX_DECOMPOSED ? code : code.normalize('NFC');
}

/** Returns a short code as a URL path, without the leading slash. */
export function codePath(code: string): string {
  return isShortCode(code) ? code : code.split('/').map(encodeURIComponent).join('/');
}

/** Returns the path of a request target (RFC 9112, section 3.2) without its query, or an empty string. */
export function pathIn(target: string): string {
  // A proxy may send the absolute URL.
  const path = target.startsWith('/') ? target : (URL.parse(target)?.pathname ?? '');
  const query = path.indexOf('?');
  return query === -1 ? path : path.slice(0, query);
}
