import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '@terse/contract';
import { ApiError, errorAnswer } from '../routes/errors.ts';
import { responseUnderWay } from './connection.ts';

/** What Node's HTTP parser can object to; anything else is simply not HTTP. */
const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** How long a client gets to read why it is hung up on, and to hang up itself, in milliseconds. */
const LINGER = 2_000;

/** Bytes that are no HTTP request, or one that nothing can be made of. */
export function notHttp(): ApiError {
  return new ApiError('invalid_request', { sentence: 'This is not a well-formed HTTP request.' });
}

const hungUp = new WeakSet<Duplex>();

/**
 * Answers what never became a request, in the same form as every other error, and hangs up. Requests that came whole on
 * the same connection before it are answered first: what they asked for may be done already.
 *
 * @param error the parser's; null for a request that it takes and nothing here can answer
 */
export async function answerClientError(error: NodeJS.ErrnoException | null, socket: Duplex): Promise<void> {
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
  socket.end(clientErrorText(CODES[error?.code ?? '']));
  const linger = setTimeout(() => socket.destroy(), LINGER).unref();
  socket.once('close', () => clearTimeout(linger));
}

/** Resolves when an answer is written, or its connection is gone. */
function ended(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('close', resolve));
}

function clientErrorText(code: ErrorCode | undefined): string {
  const { status, body } = errorAnswer(code ? new ApiError(code) : notHttp());
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
