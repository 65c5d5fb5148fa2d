import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What limits take for one client: an IPv4 address, or an IPv6 /64, which is what one household or server gets. */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.');
}
