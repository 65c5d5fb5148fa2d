/*
 * Decides which URLs can be shortened, for the popup, menus, shortcuts and lists.
 */

/** Reason why a URL cannot be shortened. Each has a message in `notShortenableMessage`. */
export type NotShortenable =
  | 'unknown'
  | 'browser'
  | 'extension'
  | 'file'
  | 'own_short_link'
  | 'scheme'
  | 'email'
  | 'not_a_url'
  | 'too_long';

/** Maximum length of a URL in characters. Services have lower limits; this one keeps lists and exports readable. */
export const MAX_URL_LENGTH = 8_192;

/** The URL to shorten, or the reason why it cannot be. `userInfoRemoved` is true if `user:password@` was removed. */
export type Target = { url: string; userInfoRemoved: boolean } | { blocked: NotShortenable };

/** True for a short URL of the user's own services. Shortening it again would only create a chain. */
export type IsOwnShortUrl = (url: URL) => boolean;

/** Returns a function that recognizes all URLs under the short base URLs of the connected services. */
export function ownShortUrls(shortBaseUrls: (string | undefined)[]): IsOwnShortUrl {
  const bases = shortBaseUrls.flatMap((base) => URL.parse(base ?? '') ?? []).map(directory);
  return (url) => bases.some((base) => directory(url).startsWith(base));
}

/** Returns origin and path, with a trailing slash. */
function directory({ origin, pathname }: URL): string {
  return (origin + pathname).replace(/\/?$/, '/');
}

/**
 * Checks a URL that the browser reports, such as a tab's or an image's. For Firefox's reader view, returns the page that it
 * shows. User info is removed, because it may contain a password.
 *
 * @param url undefined if the browser does not report it
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

/** Checks a URL that the user typed or pasted. Without a scheme, it becomes https, or http for this computer. */
export function typedTarget(text: string, isOwn: IsOwnShortUrl): Target {
  const parsed = parseTyped(text.trim());
  return typeof parsed === 'string' ? { blocked: parsed } : webTarget(parsed, isOwn);
}

/** A relative URL (but not `//host`) or a file name. These endings are not top-level domains. */
const NO_HOST = /^(\/(?!\/)|[.?#]|[^/?#]*\.(html?|php|aspx?|jsp|pdf|jpe?g|png)([?#]|$))/i;

/** Parses the URL in a text that the user typed, or returns why it is not one. */
export function parseTyped(text: string): URL | NotShortenable {
  if (text === '' || /\s/.test(text)) return 'not_a_url';
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(text)?.[1];
  if (scheme && /^mailto$/i.test(scheme)) return 'email';
  if (scheme && !/^https?$/i.test(scheme)) return text.includes('@') ? 'email' : 'scheme';
  if (!scheme && /^[^/?#]*@/.test(text)) return 'email';
  if (!scheme && NO_HOST.test(text)) return 'not_a_url';
  const parsed = URL.parse(scheme ? text : `${isThisComputer(text) ? 'http' : 'https'}://${text}`);
  return parsed && /\.|^localhost$|^\[/.test(parsed.hostname) ? parsed : 'not_a_url';
}

/** True if the extension may open the URL. Others, such as `javascript:`, never become an `href`. */
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

function isThisComputer(address: string): boolean {
  return /^(localhost|[^/?#:]*\.localhost|127(\.\d+){3}|\[::1\])([:/?#]|$)/i.test(address);
}

/** True if a short code can stand in the path of an API URL. The URL parser removes segments of only dots. */
export function isPathSegment(shortCode: string): boolean {
  return !['', '.', '..'].includes(shortCode);
}
