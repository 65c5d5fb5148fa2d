import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { closeConnection, hasBody } from './client-connections.ts';
import { answerClientError } from './malformed-requests.ts';

/** All timeouts of the service, in milliseconds. */
export interface Timeouts {
  /** Time for a client to send the headers of a request. */
  headers: number;
  /** Time for a client to send a whole request. */
  request: number;
  /** Interval at which Node checks `headers` and `request`. */
  check: number;
  /** Total time for an upload. It may stall no longer than `request`. */
  upload: number;
  /** Time that a connection may be idle between two requests. */
  keepAlive: number;
  /**
   * Time without progress of a response after which its client is disconnected. The kernel buffers megabytes and accepts
   * more only when a third of them is read, which takes a slow but steady client minutes.
   */
  unread: number;
  /** Time that idle connections stay open during a stop, since their clients may be sending a request. */
  drain: number;
  /** Time that a stop waits for open requests before it closes their connections. */
  stop: number;
  /** Time that a stop then has to count clicks and close the database. The next process counts the rest. */
  finish: number;
  /** Interval at which expired data is deleted. */
  housekeeping: number;
  /** Interval at which the blocked-hosts file is checked for changes. */
  watch: number;
}

export const TIMEOUTS: Timeouts = {
  headers: 10_000,
  request: 20_000,
  check: 5_000,
  upload: 1_800_000,
  // Longer than the timeouts of proxies and browsers. The client then closes the connection, never during a request.
  keepAlive: 120_000,
  unread: 900_000,
  // Busy clients send their next request within milliseconds.
  drain: 500,
  stop: 10_000,
  finish: 10_000,
  housekeeping: 3_600_000,
  watch: 1_000,
};

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Aborts requests whose body does not arrive in time. Unlike Node's own timeout, this one can be extended for a single
 * request.
 *
 * @param timeout in milliseconds
 */
export function withBodyTimeout(answer: RequestListener, timeout: number): RequestListener {
  return (request, response) => {
    // Most bodies arrive together with the headers, and then need no timer.
    if (hasBody(request)) setImmediate(() => startTimer(request, response, timeout));
    answer(request, response);
  };
}

function startTimer(request: IncomingMessage, response: ServerResponse, timeout: number): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => {
    if (!request.complete) abort(request, response);
  }, timeout);
  // If the connection breaks after the response, the request never emits 'close'. The timer must not keep the process alive.
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
  // The request was already answered, and only the rest of its body is missing.
  if (response.headersSent) closeConnection(socket);
  else answerClientError(error, socket);
}
