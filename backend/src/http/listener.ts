import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { stopGracefully } from './graceful-shutdown.ts';
import type { ListenAddress } from './listen-address.ts';
import { answerClientError, type OnRefused, requireWellFormed } from './malformed-requests.ts';
import type { Timeouts } from './timeouts.ts';

export interface Listener {
  listen(address: ListenAddress): Promise<void>;
  /** Returns the origin that the server listens on. */
  address(): string;
  /** Returns an origin that a browser on this machine can open. It is localhost if the server listens on all interfaces. */
  publicAddress(): string;
  /** Accepts no new connections. Resolves when every open request is answered or its connection is closed. */
  stop(): Promise<void>;
}

/**
 * Creates an HTTP server that disconnects slow clients, answers malformed requests with a JSON error, and stops
 * gracefully.
 *
 * @param answer receives only well-formed requests
 * @param readsBodies false if `answer` never reads a body; this saves a tenth of the time of a redirect
 * @param onRefused called with the status of each response to something that never became a request
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
    // `requireWellFormed` refuses requests without a host, with a JSON body.
    requireHostHeader: false,
    optimizeEmptyRequests: !readsBodies,
  };
  const sockets = new Set<Socket>();
  const answerWellFormed = requireWellFormed(answer, onRefused);
  const server = createServer(options, answerWellFormed)
    // An unknown expectation may be ignored (RFC 9110, section 10.1.1). Node would answer it without a body.
    .on('checkExpectation', answerWellFormed)
    .on('clientError', (error, socket) => answerClientError(error, socket as Socket, onRefused))
    // This service is not a proxy. Without this handler, Node would close the connection without a response.
    .on('connect', (_, socket) => {
      // Node neither reads from this socket nor handles its errors anymore. An unhandled error would end the process.
      socket.on('error', () => socket.destroy()).resume();
      return answerClientError(null, socket as Socket, onRefused);
    })
    .on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
  // A client may close its side after its last request (RFC 9112, section 9.6). The last response then ends the
  // connection. The property is not documented, but Node has no other setting for it.
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  // Timeout for inactivity in both directions. In practice it disconnects clients that do not read their response.
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
