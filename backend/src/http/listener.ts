import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { stopGracefully } from './graceful-shutdown.ts';
import type { ListenAddress } from './listen-address.ts';
import { answerClientError, type OnRefused, requireWellFormed } from './malformed-requests.ts';
import type { Timeouts } from './timeouts.ts';

export interface Listener {
  listen(address: ListenAddress): Promise<void>;
  /** Where it really listens, as an origin. */
  address(): string;
  /** The same for the public: a listener on every interface has no address to open, and is localhost on this machine. */
  publicAddress(): string;
  /** Takes nothing new; resolves once every request under way is answered, or was cut off. */
  stop(): Promise<void>;
}

/**
 * An HTTP server that cuts off clients which are slow to ask, or do not read what they are answered, words the answer to what
 * never became a request itself, and stops without cutting off anybody else.
 *
 * @param answer is handed well-formed requests alone
 * @param readsBodies whether `answer` reads any. Where it does not, a request without one is no stream from the start,
 * which saves a tenth of a redirect's time
 * @param onRefused called with the status of each answer to what never became a request
 */
export function createListener(
  answer: RequestListener,
  timeouts: Timeouts,
  { readsBodies = true, onRefused = () => {} }: { readsBodies?: boolean; onRefused?: OnRefused } = {},
): Listener {
  const options = {
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    connectionsCheckingInterval: timeouts.check,
    keepAliveTimeout: timeouts.keepAlive,
    maxHeaderSize: 16 * 1024,
    // A request without a host is refused here, with a body like every other error.
    requireHostHeader: false,
    optimizeEmptyRequests: !readsBodies,
  };
  const sockets = new Set<Socket>();
  const answerWellFormed = requireWellFormed(answer, onRefused);
  const server = createServer(options, answerWellFormed)
    // An expectation that is not known may be ignored (RFC 9110, section 10.1.1); Node would answer it without a body.
    .on('checkExpectation', answerWellFormed)
    .on('clientError', (error, socket) => answerClientError(error, socket as Socket, onRefused))
    // A tunnel is for proxies to make; Node would hang up without a word.
    .on('connect', (_, socket) => {
      // Node no longer listens here either, and an error that nobody hears ends the process.
      socket.on('error', () => socket.destroy());
      return answerClientError(null, socket as Socket, onRefused);
    })
    .on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
  // A client may close its side once it has asked (RFC 9112, section 9.6): the last answer due then ends the connection.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  // Of silence in both directions. For requests there are shorter ones, so it ends those who do not read their answer.
  server.timeout = timeouts.unread;

  function address(): string {
    const { address: host, family, port } = server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
  }
  return {
    async listen({ host, port }) {
      server.listen(port, host);
      await once(server, 'listening');
    },
    address,
    publicAddress: () => new URL(address().replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//localhost:')).origin,
    stop: () => stopGracefully(server, sockets, { drain: timeouts.drain, patience: timeouts.stop }),
  };
}
