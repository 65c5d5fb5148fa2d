import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { closeConnection, hasBody } from './client-connections.ts';
import { answerClientError } from './malformed-requests.ts';

/** All timeouts and intervals of the service, in milliseconds. */
export interface Timeouts {
  /** Maximum time until a client has sent the headers of a request. */
  headers: number;
  /** Maximum time until a client has sent a whole request. */
  request: number;
  /** Interval at which Node checks the timeouts for headers and requests. */
  check: number;
  /** Maximum total time of an upload. If no data arrives for the time of `request`, the upload is aborted earlier. */
  upload: number;
  /** Time after which an idle connection is closed. */
  keepAlive: number;
  /**
   * Time after which a client is disconnected if it does not read its response. The kernel reports progress only
   * after a client has read megabytes, so even a client with a slow connection can appear idle for minutes.
   */
  unread: number;
  /**
   * Time for which idle connections stay open while the service stops, because clients may already be sending a
   * request.
   */
  drain: number;
  /** Maximum time to wait for open requests while the service stops. Their connections are closed afterwards. */
  stop: number;
  /**
   * Maximum time to count clicks and close the database while the service stops. The next process counts the
   * remaining clicks.
   */
  finish: number;
  housekeeping: number;
  /** Interval at which the file of blocked hosts is checked for changes. */
  watch: number;
}

export const TIMEOUTS: Timeouts = {
  headers: 10_000,
  request: 20_000,
  check: 5_000,
  upload: 1_800_000,
  // Longer than the timeouts of proxies and browsers, so that the client closes the connection first. If the server
  // closed it, a request could be lost.
  keepAlive: 120_000,
  unread: 900_000,
  drain: 500,
  stop: 10_000,
  finish: 10_000,
  housekeeping: 3_600_000,
  watch: 1_000,
};

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Aborts requests whose body takes too long to arrive. Node has a similar timeout, but its timeout cannot be extended
 * for a single request.
 *
 * @param timeout in milliseconds
 */
export function withBodyTimeout(answer: RequestListener, timeout: number): RequestListener {
  return (request, response) => {
    // Starts the timer one tick later, because most bodies arrive together with the headers and then need no timer.
    if (hasBody(request)) setImmediate(() => startTimer(request, response, timeout));
    answer(request, response);
  };
}

function startTimer(request: IncomingMessage, response: ServerResponse, timeout: number): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => {
    if (!request.complete) abort(request, response);
  }, timeout);
  // If the connection breaks after the response was sent, 'close' is never emitted and the timer stays active. It
  // must not keep the process alive.
  timer.unref();
  timers.set(request, timer);
  request.once('close', () => clearTimeout(timer));
}

/** Restarts the timeout of a request whose body is still arriving. */
export function extendBodyTimeout(request: IncomingMessage): void {
  timers.get(request)?.refresh();
}

function abort({ socket }: IncomingMessage, response: ServerResponse): void {
  const error = Object.assign(new Error('The request took too long.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  // The response was already sent, so no error can be sent. Only part of the request body is missing.
  if (response.headersSent) closeConnection(socket);
  else answerClientError(error, socket);
}
