import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Random } from '../domain/clock-and-random.ts';
import type { Log } from '../log/log.ts';

/** Proxies that the service trusts to report the IP address of the client. */
export interface TrustedProxies {
  /** True if the IP address belongs to a trusted proxy. The address can be written in any notation. */
  includes(address: string): boolean;
  /** Number of leading bits that all addresses of the largest trusted network share. Null if no proxy is trusted. */
  shortestPrefix: number | null;
}

/** Prefix length of the network that contains all IPv4 addresses in IPv6 notation (`::ffff:0.0.0.0/96`). */
const MAPPED_PREFIX = 96;

/**
 * Parses a list of IP addresses and CIDR networks, separated by commas or spaces. Returns null if an entry is
 * invalid.
 */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  const networks = new BlockList();
  const prefixes: number[] = [];
  for (const entry of text.split(/[\s,]+/).filter(Boolean)) {
    const [address = '', bits] = entry.split('/');
    if (!isPlainIp(address) || (bits !== undefined && !ipaddr.isValidCIDR(entry))) return null;
    const length = Number(bits ?? (isIPv4(address) ? 32 : 128));
    networks.addSubnet(address, length, familyOf(address));
    const isMapped = !isIPv4(address) && ipaddr.process(address).kind() === 'ipv4';
    prefixes.push(isMapped ? length - MAPPED_PREFIX : length);
  }
  return {
    includes: (address) => prefixes.length > 0 && isPlainIp(address) && networks.check(address, familyOf(address)),
    shortestPrefix: prefixes.length > 0 ? Math.min(...prefixes) : null,
  };
}

type Request = Pick<IncomingMessage, 'socket' | 'headers'>;

/**
 * Returns the IP address of the client. Each proxy appends an address to `X-Forwarded-For`, but clients can also send
 * forged addresses. The header is therefore read from right to left, up to the first address that is not a trusted
 * proxy.
 *
 * @param request request of the client; its `headers` are read only if a trusted proxy sent it, because the first
 * access makes Node parse all headers
 */
export function clientAddress(request: Request, proxies: TrustedProxies): string {
  const peer = request.socket.remoteAddress ?? '';
  let client = peer;
  if (proxies.includes(peer)) {
    const hops = String(request.headers['x-forwarded-for'] ?? '').split(',');
    for (const hop of hops.map(withoutPort).reverse()) {
      if (!isPlainIp(hop)) break;
      client = hop;
      if (!proxies.includes(hop)) break;
    }
  }
  // Converts IPv4 addresses that a socket reports in IPv6 notation, so that each address has only one notation.
  return client.includes(':') && ipaddr.isValid(client) ? ipaddr.process(client).toString() : client;
}

function withoutPort(hop: string): string {
  const text = hop.trim();
  const [, ipv6, ipv4] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(text) ?? [];
  return ipv6 ?? ipv4 ?? text;
}

function isPlainIp(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/**
 * Returns the client's network, which rate limits treat as one client. For IPv4, this is the address itself. For IPv6,
 * it is the first 64 bits of the address, because a household usually has an entire /64 network. Callers must neither
 * store nor log the network.
 */
export function clientNetwork(request: Request, proxies: TrustedProxies): string {
  const address = clientAddress(request, proxies);
  if (isIPv4(address)) return address;
  return ipaddr.isValid(address) ? ipaddr.parse(address).toByteArray().slice(0, 8).join('.') : 'unknown';
}

const UNTRUSTED_PROXY = 'a request has a proxy header, but does not come from a proxy in TERSE_TRUSTED_PROXIES';

/**
 * Returns a function that identifies a client's network by a salted hash, so that no IP address is stored. Logs one
 * warning if a wrong proxy configuration makes all clients look the same.
 */
export function createNetworkHasher(proxies: TrustedProxies, log: Log, random: Random): (request: Request) => string {
  const salt = Buffer.from(random(16)).toString('hex');
  let hasWarned = false;

  return (request) => {
    const isProxy = proxies.includes(request.socket.remoteAddress ?? '');
    if (!hasWarned && !isProxy && request.headers['x-forwarded-for'] !== undefined) {
      hasWarned = true;
      log('warn', UNTRUSTED_PROXY);
    }
    return hash('sha256', salt + clientNetwork(request, proxies), 'base64');
  };
}
