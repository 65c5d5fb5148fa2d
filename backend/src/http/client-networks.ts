import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddress, type TrustedProxies } from '../domain/client-address.ts';
import { networkOf } from '../domain/network.ts';
import type { Random } from '../domain/random.ts';
import type { Log } from '../log/log.ts';

/** What a connection brought last: all that tells its client, and the name that came to. */
interface Named {
  /** Whether the other end of the connection is a proxy that is believed. */
  isProxy: boolean;
  forwardedFor: string | string[] | undefined;
  forwarded: string | undefined;
  name: string;
}

type Request = Pick<IncomingMessage, 'socket' | 'headers'>;

/**
 * Names the network that a request comes from, by a salted hash, so that no address is kept. Warns once where a
 * proxy that is not trusted makes all look like one.
 */
export function clientNetworks(trusted: TrustedProxies, log: Log, random: Random): (request: Request) => string {
  const salt = Buffer.from(random(16)).toString('hex');
  /** Most requests of a connection come from one client, and naming it costs more than looking its link up. */
  const last = new WeakMap<Socket, Named>();
  let hasWarned = false;

  function nameOf(request: Request): Named {
    const peer = request.socket.remoteAddress ?? '';
    const isProxy = trusted.includes(peer);
    const { 'x-forwarded-for': forwardedFor, forwarded } = request.headers;
    if (!hasWarned && forwardedFor !== undefined && !isProxy) {
      hasWarned = true;
      log('warn', 'a request was forwarded by a proxy that is not in TERSE_TRUSTED_PROXIES, or claims to be');
    }
    const network = networkOf(clientAddress(peer, request, trusted));
    return { isProxy, forwardedFor, forwarded, name: hash('sha256', salt + network, 'base64') };
  }

  return (request) => {
    const before = last.get(request.socket);
    if (before && (!before.isProxy || isSame(before, request.headers))) return before.name;
    const named = nameOf(request);
    last.set(request.socket, named);
    return named.name;
  };
}

function isSame({ forwardedFor, forwarded }: Named, headers: Request['headers']): boolean {
  return forwardedFor === headers['x-forwarded-for'] && forwarded === headers.forwarded;
}
