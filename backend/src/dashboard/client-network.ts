import { clientAddress } from '../domain/client-address.ts';
import { networkOf } from '../domain/network.ts';
import type { PageContext } from './page.ts';
import type { Services } from './services.ts';

/** The network a request comes from, for limiting attempts; it is neither stored nor logged. */
export function clientNetwork(context: PageContext, services: Services): string {
  const { incoming } = context.env;
  return networkOf(clientAddress(incoming.socket.remoteAddress ?? '', incoming, services));
}
