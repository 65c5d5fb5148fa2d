import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Random } from '../domain/clock-and-random.ts';
import type { Log } from '../log/json-log.ts';

/** Proxies that the service trusts to report the IP address of the client. */
export interface TrustedProxies {
  /** True if the IP address belongs to a trusted proxy. The address can be written in any notation. */
  includes(address: string): boolean;
}

/** Headers in which proxies send the client's IP address. */
export const PROXY_HEADERS = ['x-forwarded-for', 'forwarded'] as const;
export type ProxyHeader = (typeof PROXY_HEADERS)[number];

/** Trusted proxies, and the header in which they send the client's IP address. */
export interface ProxySettings {
  trustedProxies: TrustedProxies;
  /**
   * Header in which the trusted proxies send the client's IP address. Other headers are ignored, because clients can
   * forge them.
   */
  proxyHeader: ProxyHeader;
}

export type ForwardedHeaders = { [Name in ProxyHeader]?: string | string[] | undefined };

/**
 * Parses a list of IP addresses and CIDR networks, separated by commas or spaces. Returns null if an entry is
 * invalid.
 */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  const entries = text.split(/[\s,]+/).filter(Boolean);
  if (entries.length === 0) return [];
  const networks = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/', 2);
    if (!isPlainIp(address) || !ipaddr.isValidCIDR(`${address}/${bits ?? '0'}`)) return null;
    if (bits === undefined) networks.addAddress(address, familyOf(address));
    else networks.addSubnet(address, Number(bits), familyOf(address));
  }
  return { includes: (address) => isPlainIp(address) && networks.check(address, familyOf(address)) };
}

/**
 * Returns the IP address of the client. Each proxy appends an address to the header, but clients can also send forged
 * addresses. The header is therefore read from right to left, up to the first address that is not a trusted proxy.
 *
 * @param peer address of the other end of the connection
 * @param request request of the client; its `headers` are read only if `peer` is a trusted proxy, because the first
 * access makes Node parse all headers
 */
export function clientAddress(
  peer: string,
  request: { headers: ForwardedHeaders },
  { trustedProxies, proxyHeader }: ProxySettings,
): string {
  let client = peer;
  if (trustedProxies.includes(peer)) {
    for (const hop of hops(proxyHeader, request.headers).reverse()) {
      if (!isPlainIp(hop)) break;
      client = hop;
      if (!trustedProxies.includes(hop)) break;
    }
  }
  // Converts IPv4 addresses that a socket reports in IPv6 notation, so that each address has only one notation.
  return client.includes(':') && ipaddr.isValid(client) ? ipaddr.process(client).toString() : client;
}

/** Returns the IP addresses in a proxy header, starting with the address of the client. */
function hops(name: ProxyHeader, headers: ForwardedHeaders): string[] {
  const elements = String(headers[name] ?? '').split(',');
  if (name === 'x-forwarded-for') return elements.map(withoutPort);
  return elements.map((element) => withoutPort(/(?:^|;)\s*for="?([^";\s]+)/i.exec(element.trim())?.[1] ?? ''));
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
 * Returns the network that rate limits treat as one client. For IPv4, this is the address itself. For IPv6, it is the
 * first 64 bits of the address, because a household usually has an entire /64 network.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.');
}

interface LastClient {
  isProxy: boolean;
  forwarded: string | string[] | undefined;
  networkHash: string;
}

type Request = Pick<IncomingMessage, 'socket' | 'headers'>;

/**
 * Returns a function that identifies a client's network by a salted hash, so that no IP address is stored. Logs one
 * warning if a wrong proxy configuration makes all clients look the same.
 */
export function createNetworkHasher(proxies: ProxySettings, log: Log, random: Random): (request: Request) => string {
  const { trustedProxies, proxyHeader } = proxies;
  const salt = Buffer.from(random(16)).toString('hex');
  /**
   * Last client of each connection, with its hash. All requests on a connection usually come from the same client, so
   * the hash is computed only once.
   */
  const lastClients = new WeakMap<Socket, LastClient>();
  let hasWarned = false;

  function identify(request: Request): LastClient {
    const peer = request.socket.remoteAddress ?? '';
    const isProxy = trustedProxies.includes(peer);
    const forwarded = request.headers[proxyHeader];
    const isForwarded = PROXY_HEADERS.some((header) => request.headers[header] !== undefined);
    if (!hasWarned && isForwarded && (!isProxy || forwarded === undefined)) {
      hasWarned = true;
      log('warn', isProxy ? OTHER_HEADER : UNTRUSTED_PROXY);
    }
    const network = networkOf(clientAddress(peer, request, proxies));
    return { isProxy, forwarded, networkHash: hash('sha256', salt + network, 'base64') };
  }

  return (request) => {
    const last = lastClients.get(request.socket);
    if (last && (!last.isProxy || last.forwarded === request.headers[proxyHeader])) return last.networkHash;
    const client = identify(request);
    lastClients.set(request.socket, client);
    return client.networkHash;
  };
}

const UNTRUSTED_PROXY = 'a request has a proxy header, but does not come from a proxy in TERSE_TRUSTED_PROXIES';
const OTHER_HEADER =
  'a trusted proxy did not set the header in TERSE_PROXY_HEADER, so all its clients are treated as one';

/**
 * Returns the client's network, for example to limit sign-in attempts. Callers must neither store nor log the
 * network.
 */
export function clientNetwork(request: Request, proxies: ProxySettings): string {
  return networkOf(clientAddress(request.socket.remoteAddress ?? '', request, proxies));
}
