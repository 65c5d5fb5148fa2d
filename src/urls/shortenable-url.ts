/*
 * What can be shortened: the one place that says so, for the popup, menus, shortcuts and lists alike.
 */

/** Why an address cannot be shortened; `refusalSentence` says each. */
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

/**
 * In characters. Services have limits of their own, the specification none: 2,048 bytes is ours. What is longer than this is no
 * address that anybody means, and no export would be read back with it.
 */
export const MAX_URL_LENGTH = 8_192;

/** The address as it goes out, or why none does. `userInfoRemoved`: `user:password@` stood in it, and does no more. */
export type Target = { url: string; userInfoRemoved: boolean } | { blocked: NotShortenable };

/** Tells own short URLs: shortening one again only makes a chain. */
export type IsOwnShortUrl = (url: URL) => boolean;

/** Own are the addresses below the short base address of any connected service. */
export function ownShortUrls(shortBaseUrls: (string | undefined)[]): IsOwnShortUrl {
  const bases = shortBaseUrls.flatMap((base) => URL.parse(base ?? '') ?? []).map(directory);
  return (url) => bases.some((base) => directory(url).startsWith(base));
}

/** Origin and path, up to a slash. */
function directory({ origin, pathname }: URL): string {
  return (origin + pathname).replace(/\/?$/, '/');
}

/**
 * What an address that the browser names comes to: a tab's, a link's, an image's. Firefox's reader view is the page it
 * shows. A page is the same without user info, and a password in it is nobody else's business.
 *
 * @param url undefined where the browser does not tell
 */
export function pageTarget(url: string | undefined, isOwn: IsOwnShortUrl): Target {
  const parsed = URL.parse(url ?? '');
  if (!parsed) return { blocked: 'unknown' };
  const read = parsed.href.startsWith('about:reader?') ? parsed.searchParams.get('url') : null;
  if (read && isWebUrl(read)) return pageTarget(read, isOwn);
  if (isWebUrl(parsed.href)) return webTarget(parsed, isOwn);
  if (parsed.protocol === 'file:') return { blocked: 'file' };
  if (/^(chrome|moz|safari-web)-extension:$/.test(parsed.protocol)) return { blocked: 'extension' };
  return { blocked: /^(data|blob|javascript|ftp|filesystem):$/.test(parsed.protocol) ? 'scheme' : 'browser' };
}

/**
 * What a person typed or pasted comes to. A missing scheme is taken as https, the way an address bar would, and as http
 * for this computer itself.
 */
export function typedTarget(text: string, isOwn: IsOwnShortUrl): Target {
  const parsed = parseTyped(text.trim());
  return typeof parsed === 'string' ? { blocked: parsed } : webTarget(parsed, isOwn);
}

/** A relative URL (but not `//host`), or the name of a file: these endings are no top-level domains. */
const NO_HOST = /^(\/(?!\/)|[.?#]|[^/?#]*\.(html?|php|aspx?|jsp|pdf|jpe?g|png)([?#]|$))/i;

/** The address that a person means by a text, or why it is none. */
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

/** Whether an address may be opened from a page of ours: `javascript:` and the like never become an `href`. */
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
