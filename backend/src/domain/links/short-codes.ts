import { SHORT_CODE_PATTERN } from '@terse/contract';
import { type Random, randomText } from '../clock-and-random.ts';

/** Letters and digits without symbols that look alike: 0 and O; 1, I, l and i. */
export const CODE_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnopqrstuvwxyz';

const MIN_GENERATED_LENGTH = 7;
const MAX_GENERATED_LENGTH = 16;

/** `CODE_ALPHABET` without upper case, for services whose short codes are not case-sensitive. */
const FOLDED_ALPHABET = '23456789abcdefghjkmnopqrstuvwxyz';

/**
 * Alphabet and length of short codes, for clients that generate codes themselves. When most codes of this length are
 * taken, the service generates longer codes.
 */
export function newCodesFormat(foldsCase: boolean) {
  return { alphabet: alphabetOf(foldsCase), length: MIN_GENERATED_LENGTH };
}

function alphabetOf(foldsCase: boolean): string {
  return foldsCase ? FOLDED_ALPHABET : CODE_ALPHABET;
}

/**
 * Converts the letters A to Z to lower case. Other letters are unchanged, because SQLite's `lower` function does not
 * convert them, and PostgreSQL must find the same links as SQLite.
 */
export function foldCode(code: string): string {
  return code.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const CODES_PER_LENGTH = 4;

/**
 * Short codes that users cannot choose, because the service needs them as paths. Codes that differ only in case are
 * reserved too.
 */
const RESERVED = new Set(
  `about abuse account accounts admin analytics api app assets auth batch contact dashboard docs download export favicon
  health healthz help home import index invite key keys legal link links login logout metrics new openapi password
  privacy qr readyz register report robots search security session sessions settings setup shorten sign-in sign-out
  sign-up signin signout signup sitemap static stats status support terms url urls user users v1 v2 well-known www`.split(
    /\s+/,
  ),
);

export function isReserved(code: string): boolean {
  return RESERVED.has(code.toLowerCase());
}

/** True if the text is a valid short code for a new link. Imported links may have codes in other formats. */
export function isShortCode(text: string): boolean {
  return SHORT_CODE_PATTERN.test(text);
}

/**
 * Generates candidates for the short code of a new link. The link gets the first candidate that is not taken. After
 * four candidates of the same length, the next four are one character longer. Throws an error if even the longest
 * candidates are taken.
 */
export function* generateCodes(random: Random, foldsCase = false): Generator<string, void> {
  const alphabet = alphabetOf(foldsCase);
  for (let length = MIN_GENERATED_LENGTH; length <= MAX_GENERATED_LENGTH; length += 1) {
    for (let count = 0; count < CODES_PER_LENGTH; ) {
      const code = randomText(random, alphabet, length);
      if (isReserved(code)) continue;
      count += 1;
      yield code;
    }
  }
  throw new Error('No free short code was found.');
}

/** Maximum length of a short code, in characters. No other link shortener allows longer codes. */
export const MAX_CODE_LENGTH = 255;

/** Maximum number of characters into which Unicode normalization can decompose one character. */
const MAX_DECOMPOSED = 4;

/**
 * Characters that a short code cannot contain: spaces, control characters, bidirectional marks, and characters with a
 * special meaning in URLs.
 */
const FORBIDDEN = /[\p{Z}\p{Cc}\p{Bidi_Control}?#%\\]/u;

/**
 * Paths, in lower case, that browsers and crawlers request automatically. Links cannot have these paths as short
 * codes.
 */
const OWN_PATHS = new Set(['favicon.ico', 'robots.txt', 'security.txt', 'sitemap.xml', 'apple-touch-icon.png']);

/**
 * True if the text can be the short code of a link. Imported codes can be a single character, or contain slashes
 * (`team/2026/plan`) or other symbols (`🚀`). For new codes, `isShortCode` is stricter.
 */
export function isLinkCode(text: string): boolean {
  if (isShortCode(text)) return true;
  if (text.length > MAX_CODE_LENGTH || FORBIDDEN.test(text) || !text.isWellFormed() || isOwnPath(text)) return false;
  // Browsers remove the segments `.` and `..` from a path before requesting the path.
  return text.split('/').every((segment) => !['', '.', '..'].includes(segment));
}

/** True if browsers and crawlers request the path automatically. Links cannot have such a path as their short code. */
function isOwnPath(path: string): boolean {
  const lower = path.toLowerCase();
  return OWN_PATHS.has(lower) || lower.split('/', 1)[0] === '.well-known';
}

/** Returns the reason why an imported short code is not allowed. Returns null if the code is allowed. */
export function importedCodeError(code: string, mayUseReserved: boolean): 'malformed' | 'reserved' | null {
  if (isOwnPath(code)) return 'reserved';
  if (!isLinkCode(code)) return 'malformed';
  return mayUseReserved || !isReserved(code.split('/', 1)[0] as string) ? null : 'reserved';
}

/**
 * Returns the short code in a URL path without the leading slash. Decodes percent-encoding (RFC 3986, section 2.3)
 * and normalizes accents. Ignores a trailing slash, because pasted URLs often have one. Returns null if the path
 * cannot be a short code.
 */
export function codeInPath(path: string): string | null {
  if (isShortCode(path)) return path;
  const code = decodePath(path.replace(/\/$/, ''));
  return code !== null && isLinkCode(code) ? code : null;
}

/**
 * Characters that can follow a short URL in a sentence: punctuation except slashes, brackets, quotation marks, white
 * space, and invisible characters such as the zero-width space.
 */
const AFTER_CODE = /(?!\/)[\p{Po}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Z}\p{Cc}\p{Cf}<>|`]/u;

/**
 * Returns the short code in a URL path that was copied together with the end of a sentence, such as `otters.)`.
 * Returns null if the path has no such ending.
 */
export function codeBeforePunctuation(path: string): string | null {
  if (isShortCode(path)) return null;
  const text = decodePath(path.replace(/\/$/, '')) ?? '';
  let end = text.length;
  while (end > 0 && AFTER_CODE.test(text.charAt(end - 1))) end -= 1;
  const code = text.slice(0, end).replace(/\/$/, '');
  return end < text.length && isLinkCode(code) ? code : null;
}

/** Decodes a URL path and normalizes its accents. Returns null if the decoded path is not valid UTF-8. */
function decodePath(path: string): string | null {
  try {
    return composedCode(decodeURIComponent(path));
  } catch {
    return null;
  }
}

/**
 * Normalizes a short code to Unicode NFC. Strings that are too long for a short code are returned unchanged, because
 * normalizing them could take seconds.
 */
export function composedCode(code: string): string {
  return code.length > MAX_CODE_LENGTH * MAX_DECOMPOSED ? code : code.normalize('NFC');
}

/** Returns a short code as a percent-encoded URL path without a leading slash. */
export function codePath(code: string): string {
  return isShortCode(code) ? code : code.split('/').map(encodeURIComponent).join('/');
}

/**
 * Returns the path of an HTTP request target (RFC 9112, section 3.2) without its query. Returns an empty string if
 * the target is invalid.
 */
export function pathIn(target: string): string {
  // Some proxies send an absolute URL as the request target.
  const path = target.startsWith('/') ? target : (URL.parse(target)?.pathname ?? '');
  const query = path.indexOf('?');
  return query === -1 ? path : path.slice(0, query);
}

/**
 * Returns the key under which a link is stored in the database. For the default domain, the key is the short code
 * alone, so links keep working if that domain changes. For other domains, the key is `//host/code`.
 *
 * @param host host of the domain, or an empty string for the default domain
 */
export function storedCode(host: string, code: string): string {
  return host === '' ? code : `//${host}/${code}`;
}
