import { isPrivateName, plainHost } from '@terse/contract';
import ipaddr from 'ipaddr.js';

/** Public range of IPv6. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True if a host has an empty label, as in `example..com`. Such names are invalid, but some resolvers ignore the
 * extra dot.
 */
export function hasEmptyLabel(host: string): boolean {
  return host.split('.').includes('');
}

/** Returns the host, with IPv4 addresses in IPv6 form converted to IPv4. */
export function normalizeAddress(host: string): string {
  const address = host.startsWith('[') ? parseAddress(host) : null;
  return address?.kind() === 'ipv4' ? address.toString() : host;
}

/** True if a host is private: a private, loopback or reserved address or name. */
export function isPrivateHost(host: string): boolean {
  const address = parseAddress(host);
  return address ? !isPublic(address) : isPrivateName(host);
}

/** True if a host is this machine. */
export function isLoopbackHost(host: string): boolean {
  const address = parseAddress(host);
  if (address) return ['loopback', 'unspecified'].includes(address.range());
  return host === 'localhost' || host.endsWith('.localhost');
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
}

/** Returns the IP address of a host, with IPv4 in IPv6 form converted to IPv4, or null if it is a name. */
function parseAddress(host: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // The WHATWG parser normalizes IPv4 addresses to four decimal numbers, and puts IPv6 addresses in brackets.
  if (/^\d+(\.\d+){3}$/.test(host)) return ipaddr.IPv4.parse(host);
  return host.startsWith('[') ? ipaddr.process(host.slice(1, -1)) : null;
}

/** Maximum length of a URL, in bytes of its stored form. */
export const URL_LIMIT = 2048;

export interface TargetRules {
  /** Base URLs of the service. A link to one of them could lead to itself. */
  ownUrls: readonly string[];
  /** True if links may lead to private, loopback and other non-public hosts. */
  allowPrivate: boolean;
  /** True if the operator has blocked the host. */
  blocks(host: string): boolean;
}

export type Target = { href: string } | { refused: 'invalid_url' | 'target_refused' };

/**
 * Validates a long URL. It must be an `http:` or `https:` URL by the WHATWG standard, without user info, at most
 * 2,048 bytes long. Its host must have no empty label, and be neither the service's own, nor blocked, nor private
 * unless allowed.
 *
 * @returns the standard's serialization, which is stored and redirected to, or the reason for a refusal
 */
export function validateTarget(text: string, rules: TargetRules): Target {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return { refused: 'invalid_url' };
  if (url.username || url.password || hasEmptyLabel(plainHost(url))) return { refused: 'invalid_url' };
  if (Buffer.byteLength(url.href) > URL_LIMIT) return { refused: 'invalid_url' };
  if (!rules.allowPrivate && isPrivateHost(plainHost(url))) return { refused: 'target_refused' };
  if (rules.ownUrls.some((own) => leadsTo(url, new URL(own)))) return { refused: 'target_refused' };
  if (rules.blocks(plainHost(url))) return { refused: 'target_refused' };
  return { href: url.href };
}

/**
 * A public host belongs to the service on every port. On loopback each port can be another service, and all spellings
 * of this machine are equal.
 */
function leadsTo(url: URL, own: URL): boolean {
  const host = plainHost(url);
  const ownHost = plainHost(own);
  if (isLoopbackHost(ownHost)) return isLoopbackHost(host) && port(url) === port(own);
  return normalizeAddress(host) === normalizeAddress(ownHost);
}

function port(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}
