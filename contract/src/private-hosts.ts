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
 * 6598), loopback, link-local, documentation, benchmarks, multicast and reserved.
 */
const PRIVATE_IPV4 =
  /^(0|10|127|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168|192\.0\.[02]|198\.(1[89]|51\.100)|203\.0\.113|22[4-9]|2[3-5]\d)\./;

/** Matches public IPv6 addresses (2000::/3), except for addresses that are reserved for documentation and tunnels. */
const PUBLIC_IPV6 = /^\[(?!2001:(0|db8)?:|2002:)[23][\da-f]{3}:/;

/** Matches IPv4 addresses in IPv6 notation. */
const MAPPED_IPV4 = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})]$/;

export function plainHost(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

/** True if a host name exists only in private networks. IP addresses are not supported. */
export function isPrivateName(host: string): boolean {
  return !host.includes('.') || PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

/** True if a URL leads to a private network or a reserved address. A service may also refuse other URLs. */
export function isPrivateTarget(url: URL): boolean {
  const host = plainHost(url);
  const mapped = MAPPED_IPV4.exec(host);
  if (mapped) return PRIVATE_IPV4.test(dotted(mapped.slice(1).map((part) => Number.parseInt(part, 16))));
  if (host.startsWith('[')) return !PUBLIC_IPV6.test(host);
  return /^[\d.]+$/.test(host) ? PRIVATE_IPV4.test(host) : isPrivateName(host);
}

function dotted(words: number[]): string {
  return words.flatMap((word) => [word >> 8, word & 255]).join('.');
}
