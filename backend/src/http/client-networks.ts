import type { IncomingMessage } from 'node:http';
import { clientAddress, type TrustedProxies } from '../domain/client-address.ts';
import { networkOf } from '../domain/network.ts';
import type { Log } from '../log/log.ts';

/** Names the network that a request comes from. Warns once where a proxy that is not trusted makes all look like one. */
export function clientNetworks(trusted: TrustedProxies, log: Log): (request: IncomingMessage) => string {
  let hasWarned = false;
  return ({ socket, headers }) => {
    const peer = socket.remoteAddress ?? '';
    if (!hasWarned && headers['x-forwarded-for'] !== undefined && !trusted.includes(peer)) {
      hasWarned = true;
      log('warn', 'a request was forwarded by a proxy that is not in TERSE_TRUSTED_PROXIES, or claims to be');
    }
    return networkOf(clientAddress(peer, headers, trusted));
  };
}
