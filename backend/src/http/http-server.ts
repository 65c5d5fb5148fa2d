import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ErrorCode } from '@terse/contract';
import { ApiError, ERROR_HEADERS, errorJson } from './api-error.ts';
import { type ListenAddress, localOrigin } from './listen-address.ts';

/** Timeouts of an HTTP server, in milliseconds. */
export interface HttpTimeouts {
  /** Time within which a client must send the headers of a request. */
  headers: number;
  /** Time within which a client must send a whole request, for example the upload of a file. */
  request: number;
  /** Interval at which Node checks if clients have sent their requests in time. */
  check: number;
  keepAlive: number;
  /**
   * Time after which clients that do not read their response are disconnected. This time is long, because a slow
   * client may need minutes to read the data that the kernel has buffered.
   */
  unread: number;
  /** Time for which idle connections stay open while the server stops, because requests may already be on their way. */
  drain: number;
  /** Time for which the server waits for open requests when it stops. After this time, their connections are closed. */
  stop: number;
}

/** Called with the HTTP status of the response when an invalid HTTP request is rejected. */
export type OnMalformed = (status: number) => void;

export interface HttpServer {
  /** Origin at which programs on this machine can reach the server. */
  origin: string;
  /**
   * Stops accepting connections. Resolves when all open requests have been answered, or when the timeout `stop` has
   * closed their connections.
   */
  stop(): Promise<void>;
}

/**
 * Maximum size of the path and the headers of a request. Text that a user shares on a phone is sent to the dashboard
 * in the path, so the limit is high.
 */
export const HEADER_BYTES = 64 * 1024;

/**
 * Starts an HTTP server that disconnects slow clients, and sends a JSON error in response to data that is not HTTP.
 *
 * @param createListener returns the handler of all requests, for a server with the given origin
 * @param onMalformed called with the HTTP status of each response to data that is not HTTP
 * @throws the error of the operating system if the server cannot listen on the address
 */
export async function startHttpServer(
  { host, port }: ListenAddress,
  createListener: (origin: string) => RequestListener,
  timeouts: HttpTimeouts,
  onMalformed: OnMalformed = () => {},
): Promise<HttpServer> {
  const options = {
    headersTimeout: timeouts.headers,
    requestTimeout: timeouts.request,
    connectionsCheckingInterval: timeouts.check,
    keepAliveTimeout: timeouts.keepAlive,
    maxHeaderSize: HEADER_BYTES,
    // Node would send an error without a body, and would accept several `Host` headers.
    requireHostHeader: false,
  };
  const latestResponses = new WeakMap<Socket, ServerResponse>();
  let openResponses = 0;
  let state: 'running' | 'draining' | 'closing' = 'running';

  const server = createServer(options);
  server.listen(port, host);
  await once(server, 'listening');
  const origin = localOrigin({ host, port: (server.address() as AddressInfo).port });
  let answer: RequestListener;
  try {
    answer = createListener(origin);
  } catch (error) {
    server.close();
    throw error;
  }
  server.on('request', (request, response) => {
    latestResponses.set(request.socket, response);
    openResponses += 1;
    response.on('close', onClose);
    if (state !== 'running') response.setHeader('Connection', 'close');
    if (hasValidHosts(request)) return answer(request, response);
    const { status, body } = errorJson(NOT_HTTP);
    const length = Buffer.byteLength(body);
    response.writeHead(status, { ...ERROR_HEADERS, 'Content-Length': length, Connection: 'close' }).end(body);
    onMalformed(status);
  });
  // A server may ignore expectations that it does not know. Node would send a 417 without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.timeout = timeouts.unread;
  server.on('clientError', (error, stream) => {
    const socket = stream as Socket;
    answerClientError(error, socket, latestResponses.get(socket), onMalformed);
  });

  function onClose(): void {
    openResponses -= 1;
    closeIfUnused();
  }

  function closeIfUnused(): void {
    if (state === 'closing' && openResponses === 0) server.closeAllConnections();
  }

  return {
    origin,
    async stop() {
      state = 'draining';
      const closed = once(server, 'close');
      // The `close` method of the HTTP server would also close idle connections.
      NetServer.prototype.close.call(server);
      await Promise.race([closed, wait(timeouts.drain)]);
      state = 'closing';
      closeIfUnused();
      const cutOff = setTimeout(() => server.closeAllConnections(), timeouts.stop);
      await closed;
      clearTimeout(cutOff);
      // Stops Node's timer for slow clients.
      server.close();
    },
  };
}

const NOT_HTTP = new ApiError('invalid_request', { message: 'This is not a well-formed HTTP request.' });

/** True if the request has one `Host` header, or none with HTTP/1.0 (RFC 9112, section 3.2). */
function hasValidHosts({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  // A loop, because this function runs for each redirect.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/** API error codes for errors of Node's HTTP server. All other errors mean that the data is not valid HTTP. */
const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Time for the client to read the last response before the server closes the connection, in milliseconds. */
const LINGER = 2_000;

/**
 * Sends a JSON error in response to data that is not a valid HTTP request, then closes the connection.
 *
 * @param latest response to the latest request on the connection; if it is not sent yet, it is sent instead of the
 * error
 */
function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  latest: ServerResponse | undefined,
  onMalformed: OnMalformed,
): void {
  const response = latest?.writableFinished ? undefined : latest;
  if (response?.req.complete) {
    response.once('close', () => socket.destroySoon());
    return;
  }
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
    socket.destroy();
    return;
  }
  const code = CODES[error.code ?? ''] ?? 'invalid_request';
  const { status, body } = errorJson(code === 'invalid_request' ? NOT_HTTP : new ApiError(code));
  const headers = { ...ERROR_HEADERS, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // Stops reading, so that the handler of an incomplete request receives no more data.
  socket.pause();
  // If the socket were closed immediately, the client could lose the response (RFC 9112, section 9.6).
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER).unref();
  if (!response && socket.bytesRead > 0) onMalformed(status);
}
