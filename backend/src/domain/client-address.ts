import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Networks whose word on who is behind them is believed. */
export type TrustedProxies = readonly [network: Address, bits: number][];

/** What a proxy may say of the client, as Node gives headers. */
export interface ForwardedHeaders {
  'x-forwarded-for'?: string | string[] | undefined;
  forwarded?: string | undefined;
}

/** Reads a list of addresses and CIDR networks, separated by commas or spaces; null where one of them is neither. */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  const networks: [Address, number][] = [];
  for (const item of text.split(/[\s,]+/).filter(Boolean)) {
    const whole = item.includes('/') ? item : `${item}/${item.includes(':') ? 128 : 32}`;
    if (!ipaddr.isValidCIDR(whole)) return null;
    networks.push(ipaddr.parseCIDR(whole));
  }
  return networks;
}

/** Whether an address lies in one of the networks. */
export function isTrusted(trusted: TrustedProxies, address: string): boolean {
  const parsed = trusted.length > 0 ? parse(address) : null;
  return parsed !== null && trusted.some(([network, bits]) => matches(parsed, network, bits));
}

/**
 * The address of the client: the nearest hop that is no trusted proxy. Anybody may write these headers, so a hop is
 * believed only from a trusted one, from right to left, and `Forwarded` (RFC 7239) only where there is no
 * `X-Forwarded-For`: a proxy that sets the one may pass the other on as it came.
 *
 * @param peer the address at the other end of the connection
 */
export function clientAddress(peer: string, headers: ForwardedHeaders, trusted: TrustedProxies): string {
  let client = plain(peer);
  if (!isTrusted(trusted, client)) return client;
  for (const hop of hops(headers).reverse()) {
    const address = parse(hop);
    if (!address) return client;
    client = address.toString();
    if (!isTrusted(trusted, client)) return client;
  }
  return client;
}

/** The hops that are told, the client's own first. */
function hops(headers: ForwardedHeaders): string[] {
  const list = headers['x-forwarded-for'];
  if (list !== undefined) return String(list).split(',').map(withoutPort);
  const elements = headers.forwarded?.split(',') ?? [];
  return elements.map((element) => withoutPort(/(?:^|;)\s*for="?([^";\s]+)/i.exec(element.trim())?.[1] ?? ''));
}

function withoutPort(hop: string): string {
  const text = hop.trim();
  const [, ipv6, ipv4] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(text) ?? [];
  return ipv6 ?? ipv4 ?? text;
}

function matches(address: Address, network: Address, bits: number): boolean {
  return address.kind() === network.kind() && address.match([network, bits] as never);
}

/** IPv4 wrapped in IPv6 unwrapped, as sockets on both families have it. */
function parse(text: string): Address | null {
  return ipaddr.isValid(text) && (text.includes(':') || /^\d+(\.\d+){3}$/.test(text)) ? ipaddr.process(text) : null;
}

function plain(peer: string): string {
  return peer.startsWith('::ffff:') ? peer.slice(7) : peer;
}
