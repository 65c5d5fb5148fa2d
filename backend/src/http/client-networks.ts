import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddress, PROXY_HEADERS, type ProxySettings } from '../domain/client-address.ts';
import { networkOf } from '../domain/network.ts';
import type { Random } from '../domain/random.ts';
import type { Log } from '../log/log.ts';

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
