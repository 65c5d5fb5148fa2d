import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { latestRequest, responseUnderWay } from './client-connections.ts';

/** How often idle connections are looked for once the time to drain is over, in milliseconds. */
const SWEEP_EVERY = 20;

/**
 * Stops a server without cutting a request off. It takes no new connections. Every answer from now on says `Connection:
 * close`, so that busy clients open a new connection, elsewhere, for their next request. Idle connections are closed only
 * after a while: closed at once, they would cut off the request that a busy client is just sending.
 *
 * @param drain in milliseconds
 * @param patience after this many milliseconds whatever is left is cut off
 */
export async function stopGracefully(
  server: Server,
  sockets: ReadonlySet<Socket>,
  { drain, patience }: { drain: number; patience: number },
): Promise<void> {
  const closed = once(server, 'close');
  const sayClose = createCloser();
  for (const socket of sockets) sayClose(socket, lastUnderWay(socket));
  const onRequest = ({ socket }: IncomingMessage, response: ServerResponse) => sayClose(socket, response);
  server.prependListener('request', onRequest).prependListener('checkExpectation', onRequest);
  // As an HTTP server it would close what is idle this very moment.
  NetServer.prototype.close.call(server);

  const drained = performance.now() + drain;
  const sweep = setInterval(() => {
    if (performance.now() < drained) return;
    server.closeIdleConnections();
    // Node counts a connection on which nothing was ever sent as a request that has begun.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }, SWEEP_EVERY);
  const cut = setTimeout(() => {
    // Node's own `closeAllConnections` forgets those that asked for a tunnel.
    for (const socket of sockets) socket.destroy();
  }, patience);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  // Ends the server's look-out for slow clients.
  server.close();
}

/** Has the last answer of each connection say that the connection ends. Those before it must not, or it would be lost. */
function createCloser(): (socket: Socket, response: ServerResponse | null) => void {
  const last = new WeakMap<Socket, ServerResponse>();
  return (socket, response) => {
    if (!response?.shouldKeepAlive) return;
    const before = last.get(socket);
    if (before && !before.headersSent) before.shouldKeepAlive = true;
    response.shouldKeepAlive = false;
    last.set(socket, response);
  };
}

/** The answer under way on a connection, where its headers are not sent yet and no other request came after it. */
function lastUnderWay(socket: Socket): ServerResponse | null {
  const response = responseUnderWay(socket);
  return response && !response.headersSent && response.req === latestRequest(socket) ? response : null;
}
