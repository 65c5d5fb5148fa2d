import { isPrivateName, plainHost } from '@terse/contract';
import ipaddr from 'ipaddr.js';

/** The part of IPv6 that is handed out to the public internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether a plain host has an empty label, as `example..com` has. No such name is valid, but some resolvers overlook the dot. */
export function hasEmptyLabel(host: string): boolean {
  return host.split('.').includes('');
}

/** The same plain host, an IPv4 address wrapped in IPv6 unwrapped. */
export function normalizeAddress(host: string): string {
  const address = host.startsWith('[') ? parseAddress(host) : null;
  return address?.kind() === 'ipv4' ? address.toString() : host;
}

/** Whether a plain host can only be reached from inside: a private, loopback or reserved address or name. */
export function isPrivateHost(host: string): boolean {
  const address = parseAddress(host);
  return address ? !isPublic(address) : isPrivateName(host);
}

/** Whether a plain host is this machine itself. */
export function isLoopbackHost(host: string): boolean {
  const address = parseAddress(host);
  if (address) return ['loopback', 'unspecified'].includes(address.range());
  return host === 'localhost' || host.endsWith('.localhost');
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
}

/** The IP address a host is, IPv4 wrapped in IPv6 unwrapped; null where it is a name. */
function parseAddress(host: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // The WHATWG parser writes every IPv4 address as four decimal numbers, and every IPv6 address in brackets.
  if (/^\d+(\.\d+){3}$/.test(host)) return ipaddr.IPv4.parse(host);
  return host.startsWith('[') ? ipaddr.process(host.slice(1, -1)) : null;
}

/** The longest URL taken, in bytes of its stored form. */
export const URL_LIMIT = 2048;

export interface TargetRules {
  /** Addresses the service answers on. A link to one of them could lead to itself. */
  ownUrls: readonly string[];
  /** Whether links may lead to private, loopback and other hosts the public cannot reach. */
  allowPrivate: boolean;
  /** Whether the operator has forbidden links to a plain host. */
  blocks(host: string): boolean;
}

export type Target = { href: string } | { refused: 'invalid_url' | 'target_refused' };

/**
 * Validates a long URL. The WHATWG URL standard must parse it as `http:` or `https:`, without user info and at most 2,048
 * bytes long. Its host must have no empty label, and be neither the service's own, nor blocked, nor private unless allowed.
 *
 * @returns the standard's serialisation, which is what is stored and redirected to, or why there is none
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
 * A public host is the service's own on every port. On loopback each port can be another service, and all spellings of
 * this machine are the same host.
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
