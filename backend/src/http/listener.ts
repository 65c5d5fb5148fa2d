import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ListenAddress } from '../config.ts';
import { answerClientError } from './client-errors.ts';
import type { Timeouts } from './timeouts.ts';

/**
 * An HTTP server that cuts off slow clients and answers in its own words what never became a request.
 *
 * @param readsBodies whether `answer` reads any. Where it does not, a request without one is no stream from the start,
 * which saves a tenth of a redirect's time
 */
export function createListener(answer: RequestListener, timeouts: Timeouts, { readsBodies = true } = {}): Server {
  const options = {
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    connectionsCheckingInterval: timeouts.check,
    keepAliveTimeout: timeouts.keepAlive,
    maxHeaderSize: 16 * 1024,
    // A request without a host is refused by the app, with a body like every other error.
    requireHostHeader: false,
    optimizeEmptyRequests: !readsBodies,
  };
  // An expectation that is not known may be ignored (RFC 9110, section 10.1.1); Node would answer it without a body.
  return createServer(options, answer).on('checkExpectation', answer).on('clientError', answerClientError);
}

export async function listen(server: Server, { host, port }: ListenAddress): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening');
}

/** Takes nothing new and resolves when every request under way is answered, or was cut off after `patience` ms. */
export async function close(server: Server, patience: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A kept-alive connection turns idle only when its request is done, and then nothing else closes it.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const cut = setTimeout(() => server.closeAllConnections(), patience);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}

/** Where a server really listens, as an origin. */
export function address(server: Server): string {
  const { address: host, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}

/** A listener on every interface has no address one could open; on this machine it is localhost. */
export function publicAddress(server: Server): string {
  return new URL(address(server).replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//localhost:')).origin;
}
