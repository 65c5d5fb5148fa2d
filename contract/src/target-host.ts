/** Kinds of URLs that a service may list under `refusedTargets` of its document. */
export const REFUSED_TARGET = {
  /** Hosts that are reachable only in a private network or on the same computer. */
  private: 'private',
  /** Hosts of the service's API and short URLs. */
  own: 'own',
} as const;

/**
 * Top-level names that are reserved for private networks: RFC 6761, RFC 6762 with its appendix G, RFC 8375, and ICANN's
 * `internal`. No public name exists under them.
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

/** Loopback, private (RFC 1918, RFC 4193) and link-local addresses, as the URL parser writes them. */
const PRIVATE_ADDRESS = /^(127|10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.|^\[(::1|f[cd][\da-f]{2}:.*|fe80:.*)]$/;

/** Returns the host name of a URL without a trailing dot. */
export function plainHost(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

/** True if a host name exists only in private networks. IP addresses are not supported. */
export function isPrivateName(host: string): boolean {
  return !host.includes('.') || PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

/** True if a URL leads to a private network. The service checks more reserved address ranges, so it may refuse more URLs. */
export function isPrivateTarget(url: URL): boolean {
  const host = plainHost(url);
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return PRIVATE_ADDRESS.test(host);
  return isPrivateName(host);
}
