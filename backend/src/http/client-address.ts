import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { PageContext, Services } from '../dashboard/page-definition.ts';
import type { Random } from '../domain/clock-and-random.ts';
import type { Log } from '../log/json-log.ts';

/** Proxies that are believed when they name the client. */
export interface TrustedProxies {
  /** Whether an address, in any spelling, is one of theirs. */
  includes(address: string): boolean;
}

/** Headers in which proxies name the client. */
export const PROXY_HEADERS = ['x-forwarded-for', 'forwarded'] as const;
export type ProxyHeader = (typeof PROXY_HEADERS)[number];

/** Proxies that are believed, and the header that they set. */
export interface ProxySettings {
  trustedProxies: TrustedProxies;
  /** The other header is ignored: a proxy that sets one of them may pass the other on as the client wrote it. */
  proxyHeader: ProxyHeader;
}

/** Headers as Node returns them. */
export type ForwardedHeaders = { [Name in ProxyHeader]?: string | string[] | undefined };

/** Reads a list of addresses and CIDR networks, separated by commas or spaces; null where one of them is neither. */
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
 * Returns the address of the client: the nearest hop that is no trusted proxy. Clients can write the header, too, so it is
 * read from right to left, and a hop is believed only if a trusted proxy names it.
 *
 * @param peer the address at the other end of the connection
 * @param request its headers are asked for only where the peer is trusted, since Node makes them when somebody asks
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
  // One spelling for each address: IPv4 wrapped in IPv6, as sockets of both families have it, is unwrapped.
  return client.includes(':') && ipaddr.isValid(client) ? ipaddr.process(client).toString() : client;
}

/** Returns the hops that a header names, the client first. */
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

/** Whether a text is an IP address without a zone, which belongs to no network. */
function isPlainIp(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/** What limits take for one client: an IPv4 address, or an IPv6 /64, which is what one household or server gets. */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.');
}

/** The client of the last request of a connection. */
interface Named {
  /** True if the other end of the connection is a trusted proxy. */
  isProxy: boolean;
  /** The header that named the client. */
  forwarded: string | string[] | undefined;
  name: string;
}

type Request = Pick<IncomingMessage, 'socket' | 'headers'>;

/**
 * Names the network that a request comes from, by a salted hash, so that no address is kept. Warns once if a proxy makes
 * all clients look like one, because it is not trusted or sets the other header.
 */
export function clientNetworks(proxies: ProxySettings, log: Log, random: Random): (request: Request) => string {
  const { trustedProxies, proxyHeader } = proxies;
  const salt = Buffer.from(random(16)).toString('hex');
  /** Most requests of a connection come from one client, and naming it costs more than looking its link up. */
  const last = new WeakMap<Socket, Named>();
  let hasWarned = false;

  function nameOf(request: Request): Named {
    const peer = request.socket.remoteAddress ?? '';
    const isProxy = trustedProxies.includes(peer);
    const forwarded = request.headers[proxyHeader];
    const isForwarded = PROXY_HEADERS.some((header) => request.headers[header] !== undefined);
    if (!hasWarned && isForwarded && (!isProxy || forwarded === undefined)) {
      hasWarned = true;
      log('warn', isProxy ? OTHER_HEADER : UNTRUSTED);
    }
    const network = networkOf(clientAddress(peer, request, proxies));
    return { isProxy, forwarded, name: hash('sha256', salt + network, 'base64') };
  }

  return (request) => {
    const before = last.get(request.socket);
    if (before && (!before.isProxy || before.forwarded === request.headers[proxyHeader])) return before.name;
    const named = nameOf(request);
    last.set(request.socket, named);
    return named.name;
  };
}

const UNTRUSTED = 'a request was forwarded by a proxy that is not in TERSE_TRUSTED_PROXIES, or claims to be';
const OTHER_HEADER =
  'a trusted proxy did not set the header that TERSE_PROXY_HEADER names, so all its clients look like one';

/** The network a request comes from, for limiting attempts; it is neither stored nor logged. */
export function clientNetwork(context: PageContext, services: Services): string {
  const { incoming } = context.env;
  return networkOf(clientAddress(incoming.socket.remoteAddress ?? '', incoming, services));
}
