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

/**
 * Kinds of URLs that a service can refuse. The field `refusedTargets` in the response of `GET /api` lists these
 * kinds.
 */
export const REFUSED_TARGET = {
  /** Hosts that are reachable only in a private network or on the same computer. */
  private: 'private',
  /** The service's own hosts, for its API and its short URLs. */
  own: 'own',
} as const;

/**
 * Top-level domains reserved for private networks by RFC 6761, RFC 6762 (appendix G), RFC 8375 and ICANN
 * (`internal`). No public host name ends with any of them.
 */
const PRIVATE_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
];

/**
 * Matches normalized IPv4 addresses that are not public: “this network” (0.0.0.0/8), private (RFC 1918), shared (RFC
 * 6598), loopback, link-local, documentation, benchmarks, relays (RFC 7526, RFC 7534, RFC 7535, RFC 7450), multicast
 * and reserved.
 */
const PRIVATE_IPV4 =
  /^(0|10|127|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254|172\.(1[6-9]|2\d|3[01])|192\.(0\.[02]|31\.196|52\.193|88\.99|168|175\.48)|198\.(1[89]|51\.100)|203\.0\.113|22[4-9]|2[3-5]\d)\./;

/**
 * Matches public IPv6 addresses (2000::/3), except for addresses that are reserved for special purposes (2001::/23,
 * 2620:4f:8000::/48), documentation (2001:db8::/32, 3fff::/20) and tunnels (2002::/16).
 */
const PUBLIC_IPV6 = /^\[(?!2001:(1?[\da-f]{1,2}|db8)?:|2002:|2620:4f:8000:|3fff:[\da-f]{0,3}:)[23][\da-f]{3}:/;

/** Matches IPv4 addresses in IPv6 notation. */
const MAPPED_IPV4 = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})]$/;

/** Returns the host of a URL without a dot at its end. Converts an IPv4 address in IPv6 notation to IPv4. */
export function plainHost(url: URL): string {
  const words = MAPPED_IPV4.exec(url.hostname)?.slice(1) ?? [];
  if (words.length === 0) return url.hostname.replace(/\.$/, '');
  return words.flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 255]).join('.');
}

/**
 * True if a normalized host name refers to the local computer. Other loopback addresses, such as 127.0.0.2 and [::1],
 * are not supported, because some browser permissions and content security policies cannot contain them.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1';
}

/** True if a URL leads to a private network or a reserved address. A service may also refuse other URLs. */
export function isPrivateTarget(url: URL): boolean {
  const host = plainHost(url);
  if (host.startsWith('[')) return !PUBLIC_IPV6.test(host);
  if (IPV4.test(host)) return PRIVATE_IPV4.test(host);
  return !host.includes('.') || PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}
