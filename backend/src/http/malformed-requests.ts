import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '@terse/contract';
import { ApiError, errorAnswer } from './api-error.ts';
import { closeAfterResponse, closeConnection, isClosing, nextResponse, trackResponse } from './client-connections.ts';

/** Called with the status of each response to something that never became a request. */
export type OnRefused = (status: number) => void;

/**
 * Returns a listener that passes on HTTP/1.1 requests with exactly one valid `Host`, and HTTP/1.0 requests with one or
 * none. Other requests that Node's parser accepts are answered with 400 (RFC 9112, section 3.2). Everything after such a
 * request is ignored, because a proxy might interpret its boundaries differently.
 *
 * @param onRefused called for each request that is not passed on
 */
export function requireWellFormed(answer: RequestListener, onRefused: OnRefused): RequestListener {
  return (request, response) => {
    // The response could not be sent anymore, so the request must not be executed.
    if (isClosing(request.socket)) {
      request.resume();
      return;
    }
    trackResponse(response);
    if (isWellFormed(request)) {
      // Node drops the data that arrived in the same packet after a request to upgrade.
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

/** A host name or an IP address, and an optional port (RFC 3986, section 3.2.2). It must not be empty. */
const HOST = /^(?:[\w\-.~!$&'()*+,;=%]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Returns all values of a header. Node's `headers` contains only the first one, and is slower. */
function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] as string;
    if (header.length === name.length && header.toLowerCase() === name) values.push(rawHeaders[index + 1] as string);
  }
  return values;
}

/** Answers a malformed request and ignores everything after it on the connection. */
export function refuse(response: ServerResponse, onRefused: OnRefused): void {
  closeAfterResponse(response);
  onRefused(sendError(response, response.req.url === '*' ? noPath() : notHttp()));
}

/** Returns the error for `OPTIONS *`, which asks for the features of the whole server (RFC 9110, section 9.3.7). */
function noPath(): ApiError {
  return new ApiError('invalid_request', {
    message: '"*" is not a path. This service answers only requests for a path.',
  });
}

function notHttp(): ApiError {
  return new ApiError('invalid_request', { message: 'This is not a well-formed HTTP request.' });
}

/** Headers of responses that are sent without a framework. */
const CLIENT_ERROR_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** Sends an error without a framework. Returns the status. */
export function sendError(response: ServerResponse, error: ApiError): number {
  const { status, body } = errorAnswer(error);
  const length = { 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, { ...CLIENT_ERROR_HEADERS, ...length, ...error.headers }).end(body);
  return status;
}

/** Error codes of the errors of Node's HTTP parser. Any other error means that the data is not HTTP. */
const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

const failedConnections = new WeakSet<Socket>();
const sentStatuses = new WeakMap<Socket, number>();

/** Returns the status that `answerClientError` sent in place of the response to a request, or undefined. */
export function statusInstead({ socket }: IncomingMessage): number | undefined {
  return sentStatuses.get(socket);
}

/**
 * Answers data that never became a request with a JSON error, and closes the connection. Waits for the responses to
 * complete requests on the same connection, because those requests may already have been executed.
 *
 * @param error error of the parser; null for a request that the parser accepts but this service cannot answer
 * @param onRefused called with the status, unless it belongs to a request or no byte was ever received
 */
export async function answerClientError(
  error: NodeJS.ErrnoException | null,
  socket: Socket,
  onRefused: OnRefused = () => {},
): Promise<void> {
  if (error?.code === 'ECONNRESET' || !socket.writable) {
    // A connection that is already closing stays open for the client to read the response.
    if (!isClosing(socket)) socket.destroy();
    return;
  }
  // Every further packet causes the same error again.
  if (failedConnections.has(socket)) return;
  failedConnections.add(socket);
  let response = nextResponse(socket);
  while (response?.req.complete && !socket.destroyed) {
    await closed(response);
    response = nextResponse(socket);
  }
  // The last response was sent meanwhile.
  if (!socket.destroyed && !socket.writable) return;
  // An error cannot be sent in the middle of a response.
  if (socket.destroyed || response?.headersSent) {
    socket.destroy();
    return;
  }
  const { status, text } = clientError(CODES[error?.code ?? '']);
  // The handler of an incomplete request must not receive the rest of the body after this response.
  if (response) socket.pause();
  socket.write(text);
  closeConnection(socket);
  sentStatuses.set(socket, status);
  if (!response && socket.bytesRead > 0) onRefused(status);
}

/** Resolves when a response is sent or its connection is closed. */
function closed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('close', resolve));
}

function clientError(code: ErrorCode | undefined): { status: number; text: string } {
  const { status, body } = errorAnswer(code ? new ApiError(code) : notHttp());
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(CLIENT_ERROR_HEADERS).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  return { status, text: `${lines.join('\r\n')}\r\n\r\n${body}` };
}
