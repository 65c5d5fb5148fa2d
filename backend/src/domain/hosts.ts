import { isPrivateName } from '@terse/contract';
import ipaddr from 'ipaddr.js';

/** The part of IPv6 that is handed out to the public internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether a plain host has an empty label, as `example..com` has. No such name is valid, but some resolvers overlook the dot. */
export function hasEmptyLabel(host: string): boolean {
  return host.split('.').includes('');
}

/** The same plain host, an IPv4 address wrapped in IPv6 unwrapped. */
export function plainAddress(host: string): string {
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
