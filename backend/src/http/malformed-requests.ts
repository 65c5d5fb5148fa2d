import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '@terse/contract';
import { ApiError, errorJson, NO_CONTENT_POLICY } from './api-error.ts';
import {
  closeAfterResponse,
  closeConnection,
  isClosing,
  nextResponse,
  trackResponse,
} from './track-and-close-connections.ts';

/** Called with the HTTP status of the response when an invalid HTTP request is rejected. */
export type OnRefused = (status: number) => void;

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
    // Ignores the request, because the connection is closing and no response can be sent.
    if (isClosing(request.socket)) {
      request.resume();
      return;
    }
    trackResponse(response);
    if (isWellFormed(request)) {
      // Closes the connection after a request with an `Upgrade` header, because Node drops any data that arrives in
      // the same packet after this request.
      if (headerValues(request, 'upgrade').length > 0) closeAfterResponse(response);
      answer(request, response);
      return;
    }
    refuse(response, onRefused);
  };
}

function isWellFormed(request: IncomingMessage): boolean {
  const { httpVersion } = request;
  const [host, ...others] = headerValues(request, 'host');
  if (host === undefined) return httpVersion === '1.0';
  return others.length === 0 && (httpVersion === '1.1' || httpVersion === '1.0') && HOST.test(host);
}

/** Matches a host name or an IP address, with an optional port (RFC 3986, section 3.2.2). */
const HOST = /^(?:[\w\-.~!$&'()*+,;=%]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/**
 * Returns all values of a header. Node's `headers` object would contain only one of the values, and is slower to
 * create.
 */
function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] as string;
    if (header.length === name.length && header.toLowerCase() === name) values.push(rawHeaders[index + 1] as string);
  }
  return values;
}

/** Rejects a malformed request and ignores all further data on its connection. */
export function refuse(response: ServerResponse, onRefused: OnRefused): void {
  closeAfterResponse(response);
  onRefused(sendError(response, response.req.url === '*' ? noPath() : notHttp()));
}

/**
 * Returns the error for `OPTIONS *`. This request refers to the whole server instead of a path (RFC 9110, section
 * 9.3.7).
 */
function noPath(): ApiError {
  return new ApiError('invalid_request', {
    message: '"*" is not a path. This service answers only requests for a path.',
  });
}

function notHttp(): ApiError {
  return new ApiError('invalid_request', { message: 'This is not a well-formed HTTP request.' });
}

/** Headers of error responses that are sent with Node's API instead of Hono's. */
const CLIENT_ERROR_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': NO_CONTENT_POLICY,
};

/** Sends an error response with Node's API instead of Hono's. Returns the HTTP status. */
export function sendError(response: ServerResponse, error: ApiError): number {
  const { status, body } = errorJson(error);
  const length = { 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, { ...CLIENT_ERROR_HEADERS, ...length, ...error.headers }).end(body);
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

const failedConnections = new WeakSet<Socket>();
const sentStatuses = new WeakMap<Socket, number>();

/**
 * Returns the HTTP status that `answerClientError` sent instead of the normal response. Returns undefined if
 * `answerClientError` sent no response.
 */
export function statusInstead({ socket }: IncomingMessage): number | undefined {
  return sentStatuses.get(socket);
}

/**
 * Sends a JSON error in response to data that is not a valid HTTP request, then closes the connection. First waits
 * for the responses to earlier requests on the same connection, because these requests may already have been
 * executed.
 *
 * @param error error of Node's HTTP parser; null if this service rejects a request that the parser accepts
 * @param onRefused called with the HTTP status if no request handler logs this status
 */
export async function answerClientError(
  error: NodeJS.ErrnoException | null,
  socket: Socket,
  onRefused: OnRefused = () => {},
): Promise<void> {
  if (error?.code === 'ECONNRESET' || !socket.writable) {
    // Does not destroy a socket that the server is already closing, because the client may still read the response.
    if (!isClosing(socket)) socket.destroy();
    return;
  }
  // Node reports the same error again for every further packet.
  if (failedConnections.has(socket)) return;
  failedConnections.add(socket);
  let response = nextResponse(socket);
  while (response?.req.complete && !socket.destroyed) {
    await closed(response);
    response = nextResponse(socket);
  }
  // Does nothing if the server started to close the connection while this function was waiting for earlier responses.
  if (!socket.destroyed && !socket.writable) return;
  // If part of a response has already been sent, no error can be sent.
  if (socket.destroyed || response?.headersSent) {
    socket.destroy();
    return;
  }
  const { status, text } = clientError(CODES[error?.code ?? '']);
  // Stops reading, so that the handler of the incomplete request receives no more data.
  if (response) socket.pause();
  socket.write(text);
  closeConnection(socket);
  sentStatuses.set(socket, status);
  if (!response && socket.bytesRead > 0) onRefused(status);
}

function closed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('close', resolve));
}

function clientError(code: ErrorCode | undefined): { status: number; text: string } {
  const { status, body } = errorJson(code ? new ApiError(code) : notHttp());
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(CLIENT_ERROR_HEADERS).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return { status, text: `${lines.join('\r\n')}\r\n\r\n${body}` };
}
