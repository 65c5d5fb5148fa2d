import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { isClosing, lastResponse } from './client-connections.ts';

/** Milliseconds between two searches for idle connections that can be closed. */
const SWEEP_INTERVAL = 20;

/**
 * Stops a server without interrupting requests. The server accepts no new connections, and each response contains
 * `Connection: close`. Idle connections stay open for `drain` milliseconds, because clients may already be sending
 * another request on them.
 *
 * @param patience milliseconds after which all connections are closed, even if requests are still open
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
  // An HTTP server's own `close` would immediately close idle connections too.
  NetServer.prototype.close.call(server);

  const drained = performance.now() + drain;
  const sweep = setInterval(() => {
    if (performance.now() < drained) return;
    server.closeIdleConnections();
    // Node does not count a connection as idle before its first byte has arrived.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }, SWEEP_INTERVAL);
  const cutOff = setTimeout(() => {
    // Node's `closeAllConnections` omits connections that have sent a CONNECT request.
    for (const socket of sockets) socket.destroy();
  }, patience);
  await closed;
  clearInterval(sweep);
  clearTimeout(cutOff);
  // Stops the timer with which the server detects slow clients.
  server.close();
}

/**
 * Returns a function that adds `Connection: close` to the last response of a connection. Earlier responses must not
 * contain this header, because clients ignore all responses after it.
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
