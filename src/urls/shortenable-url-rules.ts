import { type AddressFault, parseAddress } from '@terse/contract/addresses';
import listed from './tracking-parameters.json' with { type: 'json' };

/*
 * Rules that decide which URLs can be shortened, and which parts of them are removed. The popup, the menus, the
 * shortcuts and the bulk lists use these rules.
 */

/** Reason why a URL cannot be shortened. `notShortenableMessage` returns its message. */
export type NotShortenable =
  | 'unknown'
  | 'loading'
  | 'browser'
  | 'extension'
  | 'file'
  | 'own_short_link'
  | 'too_long'
  | AddressFault;

/** Maximum length of a URL, in characters. Most servers have lower limits, which the queue checks. */
export const MAX_URL_LENGTH = 32_768;

/**
 * URL to shorten, or the reason why it cannot be shortened. `userInfoRemoved` is true if `user:password@` was removed
 * from the URL.
 */
export type Target = { url: string; userInfoRemoved: boolean } | { blocked: NotShortenable };

/**
 * True if a URL is a short URL on one of the user's own servers. Shortening such a URL again would only add a
 * redirect.
 */
export type IsOwnShortUrl = (url: URL) => boolean;

/**
 * Checks a URL from the browser, such as the address of a tab or an image. For a page in Firefox's reader view,
 * returns the URL of the original page. Removes user names and passwords.
 *
 * @param url undefined if the browser does not report the URL
 */
export function pageTarget(url: string | undefined, isOwn: IsOwnShortUrl): Target {
  const parsed = URL.parse(url ?? '');
  if (!parsed) return { blocked: 'unknown' };
  const article = parsed.href.startsWith('about:reader?') ? parsed.searchParams.get('url') : null;
  if (article && isWebUrl(article)) return pageTarget(article, isOwn);
  if (isWebUrl(parsed.href)) return webTarget(parsed, isOwn);
  if (parsed.protocol === 'file:') return { blocked: 'file' };
  if (/^(chrome|moz|safari-web)-extension:$/.test(parsed.protocol)) return { blocked: 'extension' };
  return { blocked: /^(data|blob|javascript|ftp|filesystem):$/.test(parsed.protocol) ? 'scheme' : 'browser' };
}

/** Checks the whole text of an address field. Removes user names and passwords. */
export function typedTarget(text: string, isOwn: IsOwnShortUrl): Target {
  const parsed = parseAddress(text);
  return typeof parsed === 'string' ? { blocked: parsed } : webTarget(parsed, isOwn);
}

/**
 * True if the URL's scheme is `http` or `https`. Other URLs, such as `javascript:` URLs, must never become an `href`.
 */
export function isWebUrl(url: string): boolean {
  const protocol = URL.parse(url)?.protocol;
  return protocol === 'http:' || protocol === 'https:';
}

function webTarget(parsed: URL, isOwn: IsOwnShortUrl): Target {
  if (parsed.href.length > MAX_URL_LENGTH) return { blocked: 'too_long' };
  if (isOwn(parsed)) return { blocked: 'own_short_link' };
  const bare = new URL(parsed);
  bare.username = '';
  bare.password = '';
  return { url: bare.href, userInfoRemoved: bare.href !== parsed.href };
}

/**
 * True if a short code can be part of an API path. The codes `.` and `..` cannot, because URL parsers remove such
 * path segments.
 */
export function isPathSegment(shortCode: string): boolean {
  return !['', '.', '..'].includes(shortCode);
}

/** Settings that change the URL of a new link. */
export interface UrlDefaults {
  removeTracking: boolean;
  dropTextFragment: boolean;
}

/** Returns a URL without the parts that the settings remove. */
export function applyUrlDefaults(url: string, { removeTracking, dropTextFragment }: UrlDefaults): string {
  const bare = (dropTextFragment && removeTextFragment(url)) || url;
  return removeTracking ? withoutTracking(bare).url : bare;
}

/** Click id parameters that advertising networks add to URLs and that `tracking-parameters.json` does not contain. */
const MORE = ['dclid', 'gbraid', 'wbraid', 'msclkid', 'twclid', 'ttclid', 'yclid', 'li_fat_id', 'igshid', 'srsltid'];

const TRACKING = new Set([...listed, ...MORE].map((name) => name.toLowerCase()));

/**
 * Matches the name of a query parameter that contains a signature. A signed URL stops working if any part of it
 * changes.
 */
const SIGNATURE = /(^|[-_.])(sig|sign|signature|hmac)$/i;

/**
 * Removes tracking parameters from a URL and leaves the rest unchanged, byte for byte. Does not change signed URLs.
 *
 * @returns the URL, and the names of the removed parameters
 */
export function withoutTracking(address: string): { url: string; removed: string[] } {
  const [, before = '', query = '', after = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(address) ?? [];
  const parts = query.split('&').map((part) => ({ part, name: nameOf(part) }));
  const removed = parts.filter(({ name }) => TRACKING.has(name.toLowerCase()));
  if (removed.length === 0 || parts.some(({ name }) => SIGNATURE.test(name))) return { url: address, removed: [] };
  const kept = parts.filter((one) => !removed.includes(one)).map(({ part }) => part);
  const rest = kept.length > 0 ? `?${kept.join('&')}` : '';
  return { url: `${before}${rest}${after}`, removed: [...new Set(removed.map(({ name }) => name))] };
}

function nameOf(part: string): string {
  const [name = ''] = part.split('=', 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Separator in a URL fragment. The text after it tells the browser what to highlight on the page. */
const DIRECTIVE = ':~:';

/** Removes the text to highlight (`:~:text=…`) from a URL. Returns null if there is none. */
export function removeTextFragment(address: string): string | null {
  const hash = address.indexOf('#');
  const directive = address.indexOf(DIRECTIVE, hash + 1);
  if (hash < 0 || directive < 0) return null;
  // The text between `#` and `:~:` is kept, because the page itself may use it.
  return address.slice(0, directive === hash + 1 ? hash : directive);
}
