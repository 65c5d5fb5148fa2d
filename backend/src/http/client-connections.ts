import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** Responses of each connection that are not sent yet, oldest first. */
const unsentResponses = new WeakMap<Socket, Set<ServerResponse>>();

/** Records a response until it is sent or its connection is closed. */
export function trackResponse(response: ServerResponse): void {
  const { socket } = response.req;
  let responses = unsentResponses.get(socket);
  if (!responses) {
    responses = new Set();
    unsentResponses.set(socket, responses);
  }
  responses.add(response);
  response.once('close', () => responses.delete(response));
}

/** Returns the response that is sent next on a connection, or null if all responses were sent. */
export function nextResponse(socket: Socket): ServerResponse | null {
  return unsentResponses.get(socket)?.values().next().value ?? null;
}

/** Returns the response to the latest request on a connection, or null if all responses were sent. */
export function lastResponse(socket: Socket): ServerResponse | null {
  return [...(unsentResponses.get(socket) ?? [])].at(-1) ?? null;
}

/** True if a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return length !== '0' || encoding !== undefined;
}

/** True if the whole request has arrived. Waits for the rest of the packet that contained the headers. */
export async function isFullyReceived(request: IncomingMessage): Promise<boolean> {
  if (request.complete || !hasBody(request)) return true;
  await setImmediate();
  return request.complete;
}

const closingConnections = new WeakSet<Socket>();

/** True if the last response of a connection is determined. Further requests on it are ignored. */
export function isClosing(socket: Socket): boolean {
  return closingConnections.has(socket);
}

/** Time that a client gets to read the last response and to close the connection itself, in milliseconds. */
const LINGER = 2_000;

/**
 * Ends a connection after everything written so far is sent. Data that still arrives is read and ignored. If the socket
 * were closed while the client sends, it would be reset, and the response could be lost (RFC 9112, section 9.6).
 */
export function closeConnection(socket: Socket): void {
  closingConnections.add(socket);
  socket.end();
  const linger = setTimeout(() => socket.destroy(), LINGER).unref();
  socket.once('close', () => clearTimeout(linger));
}

/** Closes the connection after this response. To be called before the headers are sent. */
export function closeAfterResponse(response: ServerResponse): void {
  const { socket } = response.req;
  closingConnections.add(socket);
  response.setHeader('Connection', 'close');
  response.once('finish', () => {
    // Node has just called `socket.destroySoon()`, which destroys the socket without waiting for the client.
    socket.off('finish', socket.destroy);
    closeConnection(socket);
  });
}
