import type { Duplex } from 'node:stream';
import type { ErrorCode } from '@terse/contract';
import { errorAnswer, Refusal } from './routes/errors.ts';

/** What Node's HTTP parser can object to; anything else is simply not HTTP. */
const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** Answers a request that never became one, in the same form as every other error, and hangs up. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body } = errorAnswer(
    new Refusal(CODES[error.code ?? ''] ?? 'invalid_request', { sentence: 'This is not a well-formed HTTP request.' }),
  );
  socket.end(
    `HTTP/1.1 ${status} Error\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
