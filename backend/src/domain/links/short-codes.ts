import { asciiHost, SHORT_CODE_PATTERN } from '@terse/contract';
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
 * Matches the end of a sentence after a short URL: punctuation except slashes, brackets, quotation marks, white space,
 * and invisible characters such as the zero-width space.
 */
const SENTENCE_END = /\/?(?:(?!\/)[\p{Po}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Z}\p{Cc}\p{Cf}<>|`])+\/?$/u;

/**
 * Returns the short code in a URL path that was copied together with the end of a sentence, such as `otters.)`.
 * Returns null if the path has no such ending.
 */
export function codeBeforeSentenceEnd(path: string): string | null {
  const text = decodePath(path) ?? '';
  // Without this limit, the search could take seconds.
  if (isShortCode(path) || text.length > 2 * MAX_CODE_LENGTH) return null;
  const code = text.replace(SENTENCE_END, '');
  return code !== text && isLinkCode(code) ? code : null;
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

/** Public origins of the short URLs, without a trailing slash. The first one is the default domain. */
export type ShortBaseUrls = readonly [string, ...string[]];

/** A host with an optional port, as in `URL.host`. */
const HOST = /^[a-z0-9._:[\]-]+$/;

/** Splits a stored code into its host and its short code. The host is empty for the default domain. */
export function splitStoredCode(stored: string): { host: string; code: string } {
  if (!stored.startsWith('//')) return { host: '', code: stored };
  const end = stored.indexOf('/', 2);
  return { host: stored.slice(2, end), code: stored.slice(end + 1) };
}

/** True if the text is a valid stored code of any domain. */
export function isStoredCode(text: string): boolean {
  if (!text.startsWith('//')) return isLinkCode(text);
  const { host, code } = splitStoredCode(text);
  return HOST.test(host) && isLinkCode(code);
}

export function hostOf(baseUrl: string): string {
  return new URL(baseUrl).host;
}

/** Returns the names of all domains, starting with the default domain. */
export function domainNames(baseUrls: ShortBaseUrls): string[] {
  return baseUrls.map(hostOf);
}

/** Returns the name of a link's domain, such as `sho.rt`. */
export function domainOf(stored: string, baseUrls: ShortBaseUrls): string {
  return splitStoredCode(stored).host || hostOf(baseUrls[0]);
}

/**
 * Returns the host of the domain with this name, or an empty string for the default domain. International names can be
 * written with their own letters or as `xn--…`.
 */
export function hostOfDomain(name: string, baseUrls: readonly string[]): string {
  if (name === '') return '';
  const host = asciiHost(name.trim()) ?? name;
  return baseUrls[0] !== undefined && host === hostOf(baseUrls[0]) ? '' : host;
}

/**
 * Finds the domain of this service with the same host as an imported short URL. Returns the name of the domain, or an
 * empty string if there is none.
 *
 * @param hostname host without a port, or null if it is unknown
 */
export function domainAt(hostname: string | null, baseUrls: ShortBaseUrls): string {
  const found = baseUrls.find((baseUrl) => new URL(baseUrl).hostname === hostname);
  return found ? hostOf(found) : '';
}

/**
 * Returns the short URL of a link. A domain that was removed from the settings is assumed to have the same scheme as
 * the default domain.
 */
export function shortUrlOf(stored: string, baseUrls: ShortBaseUrls): string {
  const { host, code } = splitStoredCode(stored);
  const [standard, ...others] = baseUrls;
  const removed = `${new URL(standard).protocol}//${host}`;
  const baseUrl = host === '' ? standard : (others.find((other) => hostOf(other) === host) ?? removed);
  return `${baseUrl}/${codePath(code)}`;
}

/** Domain of a request: its host, an empty string for the default domain, or the reason why it has no links. */
export type RequestDomain = { host: string } | 'removed' | 'unknown';

/**
 * Returns a function that finds the domain of a request by its `Host` header. A removed domain has links, but is no
 * longer in the settings. No domain is assumed for an unknown host, because the same short code can exist on each
 * domain.
 *
 * @param removed hosts of the removed domains
 * @returns null instead of a function if all requests belong to the default domain
 */
export function createDomainFinder(
  baseUrls: ShortBaseUrls,
  removed: readonly string[],
): ((header: string | undefined) => RequestDomain) | null {
  const [standard, ...others] = domainNames(baseUrls);
  if (others.length === 0 && removed.length === 0) return null;
  const domains = new Map<string, RequestDomain>([
    [standard as string, { host: '' }],
    ...others.map((host): [string, RequestDomain] => [host, { host }]),
    ...removed.map((host): [string, RequestDomain] => [host, 'removed']),
  ]);
  // A proxy may change the port in the `Host` header. The port matters only if two domains have the same name.
  const byName = Map.groupBy(domains.keys(), withoutPort);
  return (header = '') => {
    const host = header.toLowerCase().replace(/\.(?=$|:)/, '');
    const [only, another] = byName.get(withoutPort(host)) ?? [];
    return domains.get(host) ?? (only && !another ? domains.get(only) : undefined) ?? 'unknown';
  };
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '');
}
