import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '@terse/contract';
import { ApiError, errorJson, NO_CONTENT_POLICY } from './api-error.ts';

/** Called with the HTTP status of the response when an invalid HTTP request is rejected. */
export type OnRefused = (status: number) => void;

/** Response to the latest request on each connection. */
const latestResponse = new WeakMap<Socket, ServerResponse>();

/** Connections that the server closes after the response that it has sent last. Further data is ignored. */
const refused = new WeakSet<Socket>();

/**
 * Returns a listener that accepts HTTP/1.1 requests with exactly one valid `Host` header, and HTTP/1.0 requests with
 * at most one. Other requests get status 400 (RFC 9112, section 3.2).
 *
 * All data after a rejected request is ignored, because a proxy and this server may disagree about where the next
 * request starts.
 *
 * @param onRefused called with the HTTP status of each rejected request
 */
export function requireWellFormed(answer: RequestListener, onRefused: OnRefused): RequestListener {
  return (request, response) => {
    const { socket } = request;
    if (refused.has(socket)) return void request.resume();
    latestResponse.set(socket, response);
    if (isWellFormed(request)) return answer(request, response);
    refused.add(socket);
    response.setHeader('Connection', 'close');
    onRefused(sendError(response, NOT_HTTP));
  };
}

function isWellFormed({ httpVersion, rawHeaders, url = '' }: IncomingMessage): boolean {
  // Browsers and proxies disagree about the meaning of a backslash in a path.
  if (url === '*' || url.includes('\\')) return false;
  const isHost = (name = '') => name.length === 4 && name.toLowerCase() === 'host';
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && isHost(rawHeaders[index - 1]));
  const [host = httpVersion === '1.0' ? '-' : '', ...others] = hosts;
  const isSupported = httpVersion === '1.1' || httpVersion === '1.0';
  return isSupported && others.length === 0 && HOST.test(host);
}

/** Matches a host name or an IP address, with an optional port (RFC 3986, section 3.2.2). */
const HOST = /^(?:(?:[\w\-.~!$&'()*+,;=]|%[\da-f]{2})+|\[[\da-f:.]+\])(?::\d*)?$/i;

const NOT_HTTP = new ApiError('invalid_request', { message: 'This is not a well-formed HTTP request.' });

/** Headers of error responses that are sent with Node's API instead of Hono's. */
const ERROR_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': NO_CONTENT_POLICY,
};

/** Sends an error response with Node's API instead of Hono's. Returns the HTTP status. */
export function sendError(response: ServerResponse, error: ApiError): number {
  const { status, body } = errorJson(error);
  const length = { 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, { ...ERROR_HEADERS, ...length, ...error.headers }).end(body);
  return status;
}

/**
 * API error codes for errors of Node's HTTP server. An error that is not listed means that the data is not valid
 * HTTP.
 */
const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Time for the client to read the last response before the server closes the connection, in milliseconds. */
const LINGER = 2_000;

/**
 * Sends a JSON error in response to data that is not a valid HTTP request, then closes the connection. If an earlier
 * request on the connection has no response yet, closes the connection after this response.
 *
 * @param error error of Node's HTTP parser; null if this service rejects a request that the parser accepts
 * @param onRefused called with the HTTP status if no request handler logs this status
 */
export function answerClientError(
  error: NodeJS.ErrnoException | null,
  socket: Socket,
  onRefused: OnRefused = () => {},
): void {
  // Node reports an error again for every further packet.
  if (refused.has(socket)) return;
  refused.add(socket);
  const latest = latestResponse.get(socket);
  const response = latest?.writableFinished ? undefined : latest;
  if (response?.req.complete) {
    response.once('close', () => socket.destroySoon());
    return;
  }
  if (error?.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
    socket.destroy();
    return;
  }
  const code = CODES[error?.code ?? ''];
  const { status, body } = errorJson(code ? new ApiError(code) : NOT_HTTP);
  const headers = { ...ERROR_HEADERS, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // Stops reading, so that the handler of the incomplete request receives no more data.
  if (response) socket.pause();
  // If the socket were closed immediately, the client could lose the response (RFC 9112, section 9.6).
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  setTimeout(() => socket.destroy(), LINGER).unref();
  if (!response && socket.bytesRead > 0) onRefused(status);
}
