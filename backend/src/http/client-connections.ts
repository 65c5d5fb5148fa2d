import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/** What Node itself keeps with a connection. To keep it once more would cost every redirect. */
interface NodeConnection {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming?: IncomingMessage | null } | null;
}

/** The answer that is to be sent next on a connection; null where none is due. */
export function responseUnderWay(socket: Duplex): ServerResponse | null {
  return (socket as NodeConnection)._httpMessage ?? null;
}

/** The request that came last on a connection, until it is answered. */
export function latestRequest(socket: Duplex): IncomingMessage | null {
  return (socket as NodeConnection).parser?.incoming ?? null;
}

/** Whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return length !== '0' || encoding !== undefined;
}

/** Whether all of a request is there. Node passes it on before it has looked at what came together with its head. */
export async function isFullyReceived(request: IncomingMessage): Promise<boolean> {
  if (request.complete || !hasBody(request)) return true;
  await setImmediate();
  return request.complete;
}

/** How long a client gets to read the last answer of a connection, and to hang up itself, in milliseconds. */
const LINGER = 2_000;

/**
 * Ends a connection once what was written is sent. What still comes is dropped, and makes no request: a connection closed
 * under a client that sends is reset, and its answer may be lost with that (RFC 9112, section 9.6).
 */
export function closeConnection(socket: Duplex): void {
  // The HTTP parser among them.
  socket.removeAllListeners('data');
  socket.on('data', () => {}).resume();
  socket.end();
  const linger = setTimeout(() => socket.destroy(), LINGER).unref();
  socket.once('close', () => clearTimeout(linger));
}

/** Makes an answer whose headers are yet to be sent the last of its connection. */
export function closeAfterResponse(response: ServerResponse): void {
  const socket: Socket = response.req.socket;
  response.setHeader('Connection', 'close');
  let hasEnded = false;
  // Node calls this once the last answer is sent, and would close the connection whatever still comes.
  socket.destroySoon = () => {
    if (!hasEnded) closeConnection(socket);
    hasEnded = true;
  };
}
