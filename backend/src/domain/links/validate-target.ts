import { isPrivateName, plainHost } from '@terse/contract';
import { hasLineBreakOrTab, trimAddress } from '@terse/contract/addresses';
import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * True if a host has an empty label, such as `example..com`. Such a host is invalid, but some DNS resolvers ignore
 * the extra dot.
 */
export function hasEmptyLabel(host: string): boolean {
  return host.split('.').includes('');
}

/** Returns the host unchanged, except that an IPv4 address in IPv6 notation is converted to IPv4. */
export function normalizeAddress(host: string): string {
  const address = host.startsWith('[') ? parseAddress(host) : null;
  return address?.kind() === 'ipv4' ? address.toString() : host;
}

function isPrivateHost(host: string): boolean {
  const address = parseAddress(host);
  return address ? !isPublic(address) : isPrivateName(host);
}

export function isLoopbackHost(host: string): boolean {
  const address = parseAddress(host);
  if (address) return ['loopback', 'unspecified'].includes(address.range());
  return host === 'localhost' || host.endsWith('.localhost');
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
}

/**
 * Returns the IP address of a host, or null if the host is a name. An IPv4 address in IPv6 notation is converted to
 * IPv4.
 */
function parseAddress(host: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // The WHATWG URL parser writes every IPv4 address as four decimal numbers, and puts IPv6 addresses in brackets.
  if (/^\d+(\.\d+){3}$/.test(host)) return ipaddr.IPv4.parse(host);
  return host.startsWith('[') ? ipaddr.process(host.slice(1, -1)) : null;
}

/** Minimum, default and maximum of the setting that limits the length of long URLs, in bytes. */
export const URL_BYTES = { min: 2048, standard: 8192, max: 32_768 } as const;

export interface TargetRules {
  /** Base URLs of this service. Links to these URLs are refused, because a link could redirect to itself. */
  ownUrls: readonly string[];
  allowPrivate: boolean;
  /** Maximum length of a long URL, in bytes after normalization. */
  maxUrlBytes: number;
  /** True if the operator has blocked the host. Null if no hosts are blocked. */
  blocks: ((host: string) => boolean) | null;
}

/**
 * Reason why a URL is refused. `other_scheme` is a scheme such as `mailto:`, and `user_info` is a user name or password
 * in the URL.
 */
export type TargetFault = 'invalid_url' | 'other_scheme' | 'user_info' | 'too_long' | 'target_refused';

export type Target = { href: string } | { refused: TargetFault };

/**
 * Validates the long URL of a link. The URL must use `http:` or `https:`, be valid according to the WHATWG standard,
 * contain no user info, no line breaks and no tabs, and have at most `maxUrlBytes`. Blocked hosts, this service's own
 * hosts and hosts with an empty label are refused. Private hosts are refused unless `allowPrivate` is true.
 *
 * @returns the normalized URL to store and redirect to, or the reason why the URL is refused
 */
export function validateTarget(text: string, rules: TargetRules): Target {
  const address = trimAddress(text);
  // The URL parser would remove line breaks and tabs, and so join two URLs into one.
  if (hasLineBreakOrTab(address)) return { refused: 'invalid_url' };
  const url = URL.parse(address);
  if (!url || isHostWithPort(url)) return { refused: 'invalid_url' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { refused: 'other_scheme' };
  if (hasEmptyLabel(plainHost(url))) return { refused: 'invalid_url' };
  if (url.username || url.password) return { refused: 'user_info' };
  if (Buffer.byteLength(url.href) > rules.maxUrlBytes) return { refused: 'too_long' };
  if (!rules.allowPrivate && isPrivateHost(plainHost(url))) return { refused: 'target_refused' };
  if (rules.ownUrls.some((own) => isOnOwnHost(url, new URL(own)))) return { refused: 'target_refused' };
  if (rules.blocks?.(plainHost(url))) return { refused: 'target_refused' };
  return { href: url.href };
}

/** True for `example.com:8080/page`. The URL parser takes the host for a scheme. */
function isHostWithPort({ protocol, pathname }: URL): boolean {
  return (protocol.includes('.') || protocol === 'localhost:') && /^\d+(\/|$)/.test(pathname);
}

/**
 * True if a URL belongs to this service. On a public host, all ports belong to the service. On the local computer,
 * other ports can belong to other programs.
 */
function isOnOwnHost(url: URL, own: URL): boolean {
  const host = plainHost(url);
  const ownHost = plainHost(own);
  if (isLoopbackHost(ownHost)) return isLoopbackHost(host) && port(url) === port(own);
  return normalizeAddress(host) === normalizeAddress(ownHost);
}

function port(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}
