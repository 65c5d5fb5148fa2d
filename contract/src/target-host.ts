/** Kinds of targets that a service can say it refuses, under `refusedTargets` of its document. */
export const REFUSED_TARGET = {
  /** Hosts that only a private network, or the machine itself, can reach. */
  private: 'private',
  /** The hosts of the service's own API and short URLs. */
  own: 'own',
} as const;

/**
 * Names that never leave a machine or its network: RFC 6761, RFC 6762 and its appendix G, RFC 8375, and ICANN's
 * `internal`. No public name can be registered under any of them.
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

/** One spelling for every host name: as the URL parser writes it, without the root's dot. */
export function plainHost(url: URL): string {
  return url.hostname.replace(/\.$/, '');
}

/** True if a plain host name, which is no IP address, exists in private networks only. */
export function isPrivateName(host: string): boolean {
  return !host.includes('.') || PRIVATE_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

/**
 * True if a URL leads into a private network, as far as a client has to know. The service checks every reserved address
 * range, so it may refuse more.
 */
export function isPrivateTarget(url: URL): boolean {
  const host = plainHost(url);
  if (host.startsWith('[') || /^[\d.]+$/.test(host)) return PRIVATE_ADDRESS.test(host);
  return isPrivateName(host);
}
