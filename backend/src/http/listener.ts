import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { stopGracefully } from './graceful-shutdown.ts';
import type { ListenAddress } from './listen-address.ts';
import { answerClientError, type OnRefused, requireWellFormed } from './malformed-requests.ts';
import type { Timeouts } from './timeouts.ts';

export interface Listener {
  listen(address: ListenAddress): Promise<void>;
  /** Returns the origin on which the server listens. */
  address(): string;
  /**
   * Returns an origin that a browser on this machine can open. If the server listens on all network interfaces, this
   * is localhost.
   */
  publicAddress(): string;
  /**
   * Stops the server, which accepts no new connections. Resolves when all open requests are answered or their
   * connections are closed.
   */
  stop(): Promise<void>;
}

/**
 * Creates an HTTP server that disconnects slow clients, answers malformed requests with a JSON error, and stops
 * without interrupting requests.
 *
 * @param answer handles well-formed requests only
 * @param readsBodies false if `answer` never reads request bodies, which makes redirects 10 % faster
 * @param onRefused called with the status of each response to data that was not a valid HTTP request
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
    // `requireWellFormed` refuses requests without a `Host` header, and sends a JSON error.
    requireHostHeader: false,
    optimizeEmptyRequests: !readsBodies,
  };
  const sockets = new Set<Socket>();
  const answerWellFormed = requireWellFormed(answer, onRefused);
  const server = createServer(options, answerWellFormed)
    // Ignores unknown values of the `Expect` header, as RFC 9110, section 10.1.1 allows. Node would refuse the
    // request without a JSON error.
    .on('checkExpectation', answerWellFormed)
    .on('clientError', (error, socket) => answerClientError(error, socket as Socket, onRefused))
    // CONNECT requests are for proxies, so they get an error. Without this handler, Node would close the connection
    // without a response.
    .on('connect', (_, socket) => {
      // After a CONNECT request, Node no longer reads from the socket or handles its errors. An unhandled error would
      // end the process.
      socket.on('error', () => socket.destroy()).resume();
      return answerClientError(null, socket as Socket, onRefused);
    })
    .on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
  // A client may close its side of the connection after its last request (RFC 9112, section 9.6). This undocumented
  // property keeps the server's side open until the last response is sent.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  // Time without any data transfer after which a connection is closed. In practice, this disconnects clients that do
  // not read their response.
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
