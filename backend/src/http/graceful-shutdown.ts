import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { isClosing, lastResponse } from './client-connections.ts';

/** Interval at which idle connections are closed after the drain time, in milliseconds. */
const SWEEP_INTERVAL = 20;

/**
 * Stops a server without cutting off a request. It accepts no new connections, and every response from now on has
 * `Connection: close`, so that busy clients open their next connection elsewhere. Idle connections are closed only after
 * the drain time, because a busy client may be sending its next request.
 *
 * @param drain in milliseconds
 * @param patience time in milliseconds after which all connections are closed
 */
export async function stopGracefully(
  server: Server,
  sockets: ReadonlySet<Socket>,
  { drain, patience }: { drain: number; patience: number },
): Promise<void> {
  const closed = once(server, 'close');
  const announceClose = createCloseAnnouncer();
  for (const socket of sockets) announceClose(socket, lastResponse(socket));
  const onRequest = ({ socket }: IncomingMessage, response: ServerResponse) => announceClose(socket, response);
  server.prependListener('request', onRequest).prependListener('checkExpectation', onRequest);
  // The `close` of an HTTP server would also close idle connections at once.
  NetServer.prototype.close.call(server);

  const drained = performance.now() + drain;
  const sweep = setInterval(() => {
    if (performance.now() < drained) return;
    server.closeIdleConnections();
    // Node does not consider a connection idle on which no byte was ever received.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }, SWEEP_INTERVAL);
  const cutOff = setTimeout(() => {
    // `closeAllConnections` does not include connections that requested a tunnel.
    for (const socket of sockets) socket.destroy();
  }, patience);
  await closed;
  clearInterval(sweep);
  clearTimeout(cutOff);
  // Stops the server's timer for slow clients.
  server.close();
}

/**
 * Returns a function that adds `Connection: close` to the last response of each connection. Earlier responses must not
 * have it, because the client would ignore those that follow.
 */
function createCloseAnnouncer(): (socket: Socket, response: ServerResponse | null) => void {
  const lastResponses = new WeakMap<Socket, ServerResponse>();
  return (socket, response) => {
    if (!response?.shouldKeepAlive || response.headersSent || isClosing(socket)) return;
    const previous = lastResponses.get(socket);
    if (previous && !previous.headersSent) previous.shouldKeepAlive = true;
    response.shouldKeepAlive = false;
    lastResponses.set(socket, response);
  };
}
