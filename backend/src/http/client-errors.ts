import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '@terse/contract';
import { ApiError, errorAnswer } from '../routes/errors.ts';

/** What Node's HTTP parser can object to; anything else is simply not HTTP. */
const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** A request that is none, or that nothing can be made of. */
export function notHttp(): ApiError {
  return new ApiError('invalid_request', { sentence: 'This is not a well-formed HTTP request.' });
}

/** Answers a request that never became one, in the same form as every other error, and hangs up. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const code = CODES[error.code ?? ''];
  const { status, body } = errorAnswer(code ? new ApiError(code) : notHttp());
  socket.end(
    `HTTP/1.1 ${status} Error\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/**
 * Whether an answer has begun on a connection and not ended: what is written then would stand in its middle. The field is
 * Node's own, which asks it the same where nobody listens for this event; noting each answer would cost every redirect.
 */
function isAnswering(socket: Duplex & { _httpMessage?: ServerResponse | null }): boolean {
  return socket._httpMessage?.headersSent ?? false;
}
