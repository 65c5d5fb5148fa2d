import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/**
 * Responses of each connection, oldest first. Finished responses are removed only when another response is added.
 * This is faster than a listener for each response.
 */
const responsesOf = new WeakMap<Socket, ServerResponse[]>();

export function trackResponse(response: ServerResponse): void {
  const { socket } = response.req;
  const responses = responsesOf.get(socket);
  if (!responses) {
    responsesOf.set(socket, [response]);
    return;
  }
  while (responses[0] && isFinished(responses[0])) responses.shift();
  responses.push(response);
}

/** Returns the response that is sent next on a connection, or null if all responses have been sent. */
export function nextResponse(socket: Socket): ServerResponse | null {
  return responsesOf.get(socket)?.find((response) => !isFinished(response)) ?? null;
}

/** Returns the response to the latest request on a connection, or null if all responses have been sent. */
export function lastResponse(socket: Socket): ServerResponse | null {
  return responsesOf.get(socket)?.findLast((response) => !isFinished(response)) ?? null;
}

/**
 * True once the response has emitted `close`. `writableFinished` can be true earlier, while Node has yet to close the
 * connection.
 */
function isFinished({ destroyed }: ServerResponse): boolean {
  return destroyed;
}

/** True if the headers announce a request body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return length !== '0' || encoding !== undefined;
}

/**
 * Waits until Node has processed the packet that contained the headers. Then returns true if the whole request has
 * arrived.
 */
export async function isFullyReceived(request: IncomingMessage): Promise<boolean> {
  if (request.complete || !hasBody(request)) return true;
  await setImmediate();
  return request.complete;
}

const closingConnections = new WeakSet<Socket>();

/**
 * True if the server closes the connection after the current response. Further requests on the connection are
 * ignored.
 */
export function isClosing(socket: Socket): boolean {
  return closingConnections.has(socket);
}

/** Time for the client to read the last response before the server closes the connection, in milliseconds. */
const LINGER = 2_000;

/**
 * Closes a connection after all responses have been sent. For `LINGER` milliseconds, the server still reads and
 * discards data from the client. If the socket were closed immediately, the client could lose the last response
 * before reading it (RFC 9112, section 9.6).
 */
export function closeConnection(socket: Socket): void {
  closingConnections.add(socket);
  socket.end();
  const linger = setTimeout(() => socket.destroy(), LINGER).unref();
  socket.once('close', () => clearTimeout(linger));
}

/** Closes the connection after this response. Must be called before the headers are sent. */
export function closeAfterResponse(response: ServerResponse): void {
  const { socket } = response.req;
  closingConnections.add(socket);
  response.setHeader('Connection', 'close');
  response.once('finish', () => {
    // Node has just called `socket.destroySoon()`. Removing this listener prevents Node from closing the connection
    // before the client has read the response.
    socket.off('finish', socket.destroy);
    closeConnection(socket);
  });
}
