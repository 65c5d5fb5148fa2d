import { type AddressFault, parseAddress } from '@terse/contract/addresses';

/*
 * Rules that decide which URLs can be shortened. The popup, the menus, the shortcuts and the bulk lists use these
 * rules.
 */

/** Reason why a URL cannot be shortened. `notShortenableMessage` returns its message. */
export type NotShortenable =
  | 'unknown'
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
