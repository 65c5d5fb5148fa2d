import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ListenAddress } from './listen-address.ts';
import { answerClientError, type OnRefused, requireWellFormed } from './malformed-requests.ts';
import type { Timeouts } from './timeouts.ts';

export interface Listener {
  listen(address: ListenAddress): Promise<void>;
  /** Returns the origin on which the server listens. */
  address(): string;
  /**
   * Returns an origin that a browser on this machine can open. If the server listens on all interfaces, the origin
   * contains "localhost".
   */
  publicAddress(): string;
  /**
   * Stops accepting connections. Idle connections stay open for `drain` milliseconds, because clients may already be
   * sending requests. Resolves when all open requests have been answered, or when the timeout `stop` has closed their
   * connections.
   */
  stop(): Promise<void>;
}

/**
 * Maximum size of the path and the headers of a request to the API or the dashboard. Text that a user shares on a
 * phone is sent to the dashboard in the path, so the limit is high.
 */
export const API_HEADER_BYTES = 64 * 1024;

interface ListenerOptions {
  /**
   * False if the listener never reads request bodies. Node then does less work for requests without a body, which
   * makes redirects 10 % faster.
   */
  readsBodies?: boolean;
  /** Maximum size of the path and the headers of a request. Defaults to 16 KiB. */
  maxHeaderBytes?: number;
  /** Called with the HTTP status of the response when an invalid HTTP request is rejected. */
  onRefused?: OnRefused;
}

/** Interval in milliseconds at which a stopping server looks for connections that have become idle. */
const SWEEP_INTERVAL = 20;

/**
 * Creates an HTTP server that disconnects slow clients and sends a JSON error in response to malformed requests.
 *
 * @param answer handles well-formed requests
 */
export function createListener(
  answer: RequestListener,
  timeouts: Timeouts,
  { readsBodies = true, maxHeaderBytes = 16 * 1024, onRefused = () => {} }: ListenerOptions = {},
): Listener {
  const options = {
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    connectionsCheckingInterval: timeouts.check,
    keepAliveTimeout: timeouts.keepAlive,
    maxHeaderSize: maxHeaderBytes,
    // Disables Node's check of the `Host` header, because `requireWellFormed` checks this header and sends a JSON
    // error.
    requireHostHeader: false,
    optimizeEmptyRequests: !readsBodies,
  };
  const sockets = new Set<Socket>();
  const answerWellFormed = requireWellFormed(answer, onRefused);
  const server = createServer(options, answerWellFormed)
    // Ignores unknown `Expect` headers (RFC 9110, section 10.1.1). Otherwise, Node would reject these requests
    // without a JSON error.
    .on('checkExpectation', answerWellFormed)
    .on('clientError', (error, socket) => answerClientError(error, socket as Socket, onRefused))
    // Sends an error in response to CONNECT requests, because this service is not a proxy.
    .on('connect', (_, socket) => {
      // After a CONNECT request, Node no longer handles the errors of the socket. An unhandled error would end the
      // process.
      socket.on('error', () => socket.destroy()).resume();
      answerClientError(null, socket as Socket, onRefused);
    })
    .on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
  // Closes connections without activity. In practice, this affects clients that do not read their responses.
  server.timeout = timeouts.unread;

  async function stop(): Promise<void> {
    const announceClose = (_: unknown, response: ServerResponse) => response.setHeader('Connection', 'close');
    server.prependListener('request', announceClose).prependListener('checkExpectation', announceClose);
    const closed = once(server, 'close');
    // The `close` method of the HTTP server would also close idle connections.
    NetServer.prototype.close.call(server);
    await Promise.race([closed, wait(timeouts.drain)]);
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      // Closes connections on which no data was ever received, because Node does not treat these connections as idle.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    }, SWEEP_INTERVAL);
    const cutOff = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, timeouts.stop);
    await closed;
    clearInterval(sweep);
    clearTimeout(cutOff);
    // Stops Node's timer for slow clients.
    server.close();
  }

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
    stop,
  };
}
