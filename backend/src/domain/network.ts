import ipaddr from 'ipaddr.js';

/** What one client can be told by, for pacing: its address, or of IPv6 the /64 that one household or server has. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.');
}
