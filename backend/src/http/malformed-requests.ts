import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '@terse/contract';
import { ApiError, errorAnswer } from './api-error.ts';
import { closeAfterResponse, closeConnection, responseUnderWay } from './client-connections.ts';

/** What Node's HTTP parser can object to; anything else is simply not HTTP. */
const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Bytes that are no HTTP request, or one that nothing can be made of. */
export function notHttp(): ApiError {
  return new ApiError('invalid_request', { message: 'This is not a well-formed HTTP request.' });
}

/** What goes with the body of an answer that no route gives. */
export const CLIENT_ERROR_HEADERS = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** Answers an error where no framework does, and returns its status. */
export function sendError(response: ServerResponse, error: ApiError): number {
  const { status, body } = errorAnswer(error);
  const length = { 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, { ...CLIENT_ERROR_HEADERS, ...length, ...error.headers }).end(body);
  return status;
}

/** Called with the status of an answer to what never became a request. */
export type OnRefused = (status: number) => void;

const hungUp = new WeakSet<Duplex>();
const statuses = new WeakMap<Duplex, number>();

/** The status that a request under way was answered here, whatever comes of it now; undefined where it was not. */
export function statusInstead({ socket }: IncomingMessage): number | undefined {
  return statuses.get(socket);
}

/**
 * Answers what never became a request, in the same form as every other error, and hangs up. Requests that came whole on
 * the same connection before it are answered first: what they asked for may be done already.
 *
 * @param error the parser's; null for a request that it takes and nothing here can answer
 * @param onRefused not called where a request is under way, which is logged and counted as what it asked for, nor where
 * nothing was ever said on the connection
 */
export async function answerClientError(
  error: NodeJS.ErrnoException | null,
  socket: Socket,
  onRefused: OnRefused = () => {},
): Promise<void> {
  if (error?.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // Each piece of what follows is an error again.
  if (hungUp.has(socket)) return;
  hungUp.add(socket);
  let response = responseUnderWay(socket);
  while (response?.req.complete) {
    await ended(response);
    response = responseUnderWay(socket);
  }
  // In the middle of an answer nothing else can be written.
  if (socket.destroyed || response?.headersSent) {
    socket.destroy();
    return;
  }
  const { status, text } = clientError(CODES[error?.code ?? '']);
  socket.write(text);
  closeConnection(socket);
  statuses.set(socket, status);
  if (!response && socket.bytesRead > 0) onRefused(status);
}

/** Resolves when an answer is written, or its connection is gone. */
function ended(response: ServerResponse): Promise<void> {
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

/**
 * Passes on HTTP/1.1 with exactly one valid `Host`, and HTTP/1.0 with one or none. Whatever else Node's parser lets
 * through is answered 400 (RFC 9112, section 3.2): a proxy might read such a request differently from us, and what follows it.
 * So that is dropped.
 *
 * @param onRefused called for each request that is not passed on
 */
export function requireWellFormed(answer: RequestListener, onRefused: OnRefused): RequestListener {
  return (request, response) => {
    // Its answer would not be sent any more, so nothing is done.
    if (refused.has(request.socket)) return;
    if (isWellFormed(request)) {
      // Node drops what came in the same packet behind a request to upgrade. Nobody must wait for its answer.
      if (valuesOf(request, 'upgrade').length > 0) closeAfterResponse(response);
      answer(request, response);
      return;
    }
    refuse(response, onRefused);
  };
}

/** Connections on which a request was refused. */
const refused = new WeakSet<Socket>();

/** Answers a request of which nothing can be made, and drops what follows it. */
export function refuse(response: ServerResponse, onRefused: OnRefused): void {
  const { socket, url } = response.req;
  refused.add(socket);
  closeAfterResponse(response);
  onRefused(sendError(response, url === '*' ? noPath() : notHttp()));
}

/** `OPTIONS *` asks what a server can do in general (RFC 9110, section 9.3.7), which nobody needs of this one. */
function noPath(): ApiError {
  return new ApiError('invalid_request', {
    message: '"*" is no path, and this service answers requests for a path alone.',
  });
}

function isWellFormed(request: IncomingMessage): boolean {
  const { httpVersion } = request;
  const [host, ...others] = valuesOf(request, 'host');
  if (host === undefined) return httpVersion === '1.0';
  return others.length === 0 && (httpVersion === '1.1' || httpVersion === '1.0') && HOST.test(host);
}

/** A name or an address, and a port (RFC 3986, section 3.2.2). An empty one is refused: it is for targets that name no host. */
const HOST = /^(?:[\w\-.~!$&'()*+,;=%]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/** The values of a header, each as it was sent. Node's `headers` keep the first alone, and are made at the first look at them. */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const one = rawHeaders[at] as string;
    if (one.length === name.length && one.toLowerCase() === name) values.push(rawHeaders[at + 1] as string);
  }
  return values;
}
