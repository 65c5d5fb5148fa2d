import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Random } from '../domain/clock-and-random.ts';
import type { Log } from '../log/json-log.ts';

/** Proxies that are trusted to report the client's IP address. */
export interface TrustedProxies {
  /** True if the address belongs to a trusted proxy. IPv4 and IPv6 are accepted in any notation. */
  includes(address: string): boolean;
}

/** Headers in which proxies report the client's IP address. */
export const PROXY_HEADERS = ['x-forwarded-for', 'forwarded'] as const;
export type ProxyHeader = (typeof PROXY_HEADERS)[number];

/** Trusted proxies, and the header in which they report the client's IP address. */
export interface ProxySettings {
  trustedProxies: TrustedProxies;
  /** Header that the trusted proxies set. Other headers are ignored, because a client may have sent them. */
  proxyHeader: ProxyHeader;
}

/** Values of the proxy headers in the format of Node. */
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
 * Returns the IP address of the client. A request may pass through several proxies, and each adds an address to the
 * header. The client can forge addresses, so the header is read from right to left, until an address does not belong
 * to a trusted proxy.
 *
 * @param peer address at the other end of the connection
 * @param request the headers are read only if `peer` is a trusted proxy, because Node parses them on first access
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
  // Sockets that accept both IPv4 and IPv6 report IPv4 addresses in IPv6 notation. These are converted back, so that
  // each address has only one notation.
  return client.includes(':') && ipaddr.isValid(client) ? ipaddr.process(client).toString() : client;
}

/** Returns the addresses in a proxy header. The first address is the client's. */
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

/** True if the text is an IP address without an IPv6 zone. */
function isPlainIp(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/**
 * Returns the network that rate limits treat as one client. This is a single IPv4 address, or the first 64 bits of an
 * IPv6 address, because a household usually gets such a network.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.');
}

/** Client that sent the last request on a connection. */
interface LastClient {
  /** True if the request came through a trusted proxy. */
  isProxy: boolean;
  /** Value of the proxy header. */
  forwarded: string | string[] | undefined;
  networkHash: string;
}

type Request = Pick<IncomingMessage, 'socket' | 'headers'>;

/**
 * Returns a function that identifies the network of a client by a salted hash, so that no IP address is stored. If a
 * misconfigured proxy makes all clients look the same, a warning is logged once.
 */
export function createNetworkHasher(proxies: ProxySettings, log: Log, random: Random): (request: Request) => string {
  const { trustedProxies, proxyHeader } = proxies;
  const salt = Buffer.from(random(16)).toString('hex');
  /**
   * Caches the last result per connection. Most requests on a connection come from the same client, and hashing costs
   * more than finding a cached link.
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
const OTHER_HEADER = 'a trusted proxy did not set the header in TERSE_PROXY_HEADER, so all its clients look like one';

/**
 * Returns the network of the client, for limits on attempts. The network must not be stored or logged, because it
 * reveals the IP address.
 */
export function clientNetwork(request: Request, proxies: ProxySettings): string {
  return networkOf(clientAddress(request.socket.remoteAddress ?? '', request, proxies));
}
