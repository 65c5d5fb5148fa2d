import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Random } from '../domain/clock-and-random.ts';
import type { Log } from '../log/json-log.ts';

/** Proxies that may report the address of the client. */
export interface TrustedProxies {
  /** True if an address, in any notation, belongs to a trusted proxy. */
  includes(address: string): boolean;
}

/** Headers in which proxies report the client. */
export const PROXY_HEADERS = ['x-forwarded-for', 'forwarded'] as const;
export type ProxyHeader = (typeof PROXY_HEADERS)[number];

/** Trusted proxies and the header that they set. */
export interface ProxySettings {
  trustedProxies: TrustedProxies;
  /** The other header is ignored, because a proxy may pass it on unchanged from the client. */
  proxyHeader: ProxyHeader;
}

/** Headers as returned by Node. */
export type ForwardedHeaders = { [Name in ProxyHeader]?: string | string[] | undefined };

/** Parses a list of addresses and CIDR networks, separated by commas or spaces. Returns null if an entry is invalid. */
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
 * Returns the address of the client: the nearest hop that is not a trusted proxy. Clients can send the header too, so it
 * is read from right to left, and a hop counts only if a trusted proxy added it.
 *
 * @param peer the address at the other end of the connection
 * @param request `headers` are read only if the peer is trusted, since Node computes them on first access
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
  // Dual-stack sockets report IPv4 addresses inside IPv6. Unwrap them, so that each address has one notation.
  return client.includes(':') && ipaddr.isValid(client) ? ipaddr.process(client).toString() : client;
}

/** Returns the hops in a header, the client first. */
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

/** True if a text is an IP address without a zone. */
function isPlainIp(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/** Returns the network that limits treat as one client: an IPv4 address, or an IPv6 /64, the size of one household's network. */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.');
}

/** The client of the last request on a connection. */
interface LastClient {
  /** True if the other end of the connection is a trusted proxy. */
  isProxy: boolean;
  /** Value of the header that reported the client. */
  forwarded: string | string[] | undefined;
  networkHash: string;
}

type Request = Pick<IncomingMessage, 'socket' | 'headers'>;

/**
 * Returns a function that identifies the network of a client by a salted hash, so that no address is stored. Logs a
 * warning once if a proxy makes all clients look like one, because it is not trusted or sets the other header.
 */
export function createNetworkHasher(proxies: ProxySettings, log: Log, random: Random): (request: Request) => string {
  const { trustedProxies, proxyHeader } = proxies;
  const salt = Buffer.from(random(16)).toString('hex');
  /** Most requests on a connection come from one client, and the hash costs more than looking up a cached link. */
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

/** Returns the network of a request, for limits on attempts. It must not be stored or logged. */
export function clientNetwork(request: Request, proxies: ProxySettings): string {
  return networkOf(clientAddress(request.socket.remoteAddress ?? '', request, proxies));
}
