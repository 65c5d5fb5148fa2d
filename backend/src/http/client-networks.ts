import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddress, type TrustedProxies } from '../domain/client-address.ts';
import { networkOf } from '../domain/network.ts';
import type { Random } from '../domain/random.ts';
import type { Log } from '../log/log.ts';

/** What a connection brought last: all that tells its client, and the name that came to. */
interface Named {
  forwardedFor: string | string[] | undefined;
  forwarded: string | undefined;
  name: string;
}

/**
 * Names the network that a request comes from, by a salted hash, so that no address is kept. Warns once where a
 * proxy that is not trusted makes all look like one.
 */
export function clientNetworks(
  trusted: TrustedProxies,
  log: Log,
  random: Random,
): (request: Pick<IncomingMessage, 'socket' | 'headers'>) => string {
  const salt = Buffer.from(random(16)).toString('hex');
  /** Most requests of a connection come from one client, and naming it costs more than looking its link up. */
  const last = new WeakMap<Socket, Named>();
  let hasWarned = false;

  function nameOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    const peer = socket.remoteAddress ?? '';
    if (!hasWarned && headers['x-forwarded-for'] !== undefined && !trusted.includes(peer)) {
      hasWarned = true;
      log('warn', 'a request was forwarded by a proxy that is not in TERSE_TRUSTED_PROXIES, or claims to be');
    }
    return hash('sha256', salt + networkOf(clientAddress(peer, headers, trusted)), 'base64');
  }

  return (request) => {
    const { socket, headers } = request;
    const [forwardedFor, forwarded] = [headers['x-forwarded-for'], headers.forwarded];
    const before = last.get(socket);
    if (before && before.forwardedFor === forwardedFor && before.forwarded === forwarded) return before.name;
    const name = nameOf(request);
    last.set(socket, { forwardedFor, forwarded, name });
    return name;
  };
}
