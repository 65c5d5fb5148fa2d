import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { isClosing, lastResponse } from './track-and-close-connections.ts';

/** Milliseconds between two checks for idle connections. */
const SWEEP_INTERVAL = 20;

/**
 * Stops a server without interrupting requests. The server accepts no new connections and adds `Connection: close` to
 * its responses. Idle connections stay open for `drain` milliseconds, because clients may already be sending
 * requests.
 *
 * @param patience time in milliseconds after which all connections are closed, even if requests are still running
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
  // Calls the method of the base class, because the `close` method of the HTTP server would also close idle
  // connections.
  NetServer.prototype.close.call(server);

  const drained = performance.now() + drain;
  const sweep = setInterval(() => {
    if (performance.now() < drained) return;
    server.closeIdleConnections();
    // Closes connections on which no data was ever received, because Node does not treat these connections as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  }, SWEEP_INTERVAL);
  const cutOff = setTimeout(() => {
    // Closes the connections one by one, because Node's `closeAllConnections` skips connections with a CONNECT
    // request.
    for (const socket of sockets) socket.destroy();
  }, patience);
  await closed;
  clearInterval(sweep);
  clearTimeout(cutOff);
  // The server is already closed. This call only stops Node's timer for slow clients.
  server.close();
}

/**
 * Returns a function that adds `Connection: close` only to the last response on a connection, because clients ignore
 * all responses after this header.
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
