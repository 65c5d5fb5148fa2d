/** Reason why a text is not the URL of a web page. */
export type AddressFault = 'not_a_url' | 'scheme' | 'email';

/** Characters that are removed around a URL: whitespace, control characters and invisible characters. */
const AROUND = '[\\s\\p{Cc}\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f]';

/** The lookbehind prevents quadratic time in texts with long runs of spaces. */
const AT_ENDS = new RegExp(`^${AROUND}+|(?<!${AROUND})${AROUND}+$`, 'gu');

/** Matches a second URL in the same text. */
const SECOND_URL = /\s[<("'[]*(?:https?:\/\/|www\.)/i;

/** File extensions that are not top-level domains in practice. */
export const FILE_EXTENSIONS =
  'html?|php|aspx?|jsp|pdf|docx?|xlsx?|pptx?|od[tsp]|epub|rtf|csv|txt|xml|json|jpe?g|png|gif|svg|webp|heic|mp[34]|webm|exe|dmg';

/** Matches a relative URL or a file name. */
const NO_HOST = new RegExp(`^(?:/(?!/)|[.?#]|[^/?#]*\\.(?:${FILE_EXTENSIONS})(?:[?#]|$))`, 'i');

/** Matches another host after a space in a path. A name without a slash can be a file name. */
const SECOND_HOST = /^[^?#]*\s(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}[/:]/u;

const IPV4 = /^\d+(?:\.\d+){3}$/;

/** Removes whitespace and invisible characters around a URL. */
export function trimAddress(text: string): string {
  return text.replace(AT_ENDS, '');
}

/** True if a text contains a character that no URL may contain. The URL parser would remove the character. */
export function hasLineBreakOrTab(text: string): boolean {
  return /[\t\r\n]/.test(text);
}

/** True if a text contains another URL after a space. */
export function hasSecondUrl(text: string): boolean {
  return SECOND_URL.test(text) || SECOND_HOST.test(text);
}

/**
 * Parses the whole text of an address field, and percent-encodes its spaces. If the scheme is missing, assumes
 * `https`, or `http` for addresses of this computer. The host must then contain a dot. Returns the reason if the text
 * is not exactly one web URL.
 */
export function parseAddress(text: string): URL | AddressFault {
  const address = trimAddress(text);
  if (address === '' || hasLineBreakOrTab(address) || hasSecondUrl(address)) return 'not_a_url';
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(address)?.[1];
  if (scheme && !/^https?$/i.test(scheme)) return otherScheme(address);
  if (!scheme) return withoutScheme(address);
  const parsed = URL.parse(address);
  const isExplicit = /^https?:\/\/[^/\\?#]/i.test(address);
  return parsed && hasLabels(parsed) && (isExplicit || hasDot(parsed)) ? parsed : 'not_a_url';
}

/**
 * Returns the URL in an address field as it is written, so that people can read it. Adds the scheme if it is missing,
 * and percent-encodes spaces. Returns null if the text is not exactly one web URL.
 */
export function completeAddress(text: string): string | null {
  const parsed = parseAddress(text);
  if (typeof parsed === 'string') return null;
  const written = trimAddress(text).replaceAll(' ', '%20');
  return /^https?:/i.test(written) ? written : `${parsed.protocol}//${written.replace(/^\/\//, '')}`;
}

function otherScheme(address: string): AddressFault {
  if (/^mailto:/i.test(address)) return 'email';
  if (/^[^:]*:\s/.test(address)) return 'not_a_url';
  return address.includes('@') ? 'email' : 'scheme';
}

function withoutScheme(address: string): URL | AddressFault {
  const host = /^\/?\/?[^/?#]*/.exec(address)?.[0] ?? '';
  if (/\s/.test(host)) return 'not_a_url';
  if (host.includes('@')) return 'email';
  if (NO_HOST.test(address)) return 'not_a_url';
  const parsed = URL.parse(`${isThisComputer(address) ? 'http' : 'https'}://${address}`);
  if (!parsed || !hasLabels(parsed) || !hasDot(parsed)) return 'not_a_url';
  // The URL parser reads numbers such as 1.5 as an IPv4 address.
  return IPV4.test(parsed.hostname) && !/^\/*\d+(?:\.\d+){3}(?![\w.])/.test(address) ? 'not_a_url' : parsed;
}

/** True if the host has no empty label. `https://…` would otherwise be a URL. */
function hasLabels({ hostname }: URL): boolean {
  return !hostname.replace(/\.$/, '').split('.').includes('');
}

function hasDot({ hostname }: URL): boolean {
  return /\.|^localhost$|^\[/.test(hostname);
}

function isThisComputer(address: string): boolean {
  return /^(localhost|[^/?#:]*\.localhost|127(\.\d+){3}|\[::1\])([:/?#]|$)/i.test(address);
}
