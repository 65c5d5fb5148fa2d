import { clientAddress } from '../domain/client-address.ts';
import { networkOf } from '../domain/network.ts';
import type { PageContext, Services } from './env.ts';

/** Who asks, for pacing alone. */
export function clientOf(context: PageContext, { trustedProxies }: Services): string {
  const { socket, headers } = context.env.incoming;
  return networkOf(clientAddress(socket.remoteAddress ?? '', headers, trustedProxies));
}
