import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { hasBody } from './client-connections.ts';
import { answerClientError } from './malformed-requests.ts';

/** How long the service waits, for whom; all in milliseconds. */
export interface Timeouts {
  /** A client gets this long to send its headers, and its whole request; asked every `check`. */
  headers: number;
  request: number;
  check: number;
  /** An upload may stand still for as long as `request`, and take this long in all. */
  upload: number;
  /** How long a connection may idle between two requests. */
  keepAlive: number;
  /**
   * How long nothing of an answer may move before its client is cut off. The system takes more from the program only once a third
   * of what it holds is read: megabytes, which take somebody who reads steadily but slowly minutes.
   */
  unread: number;
  /** How long a stop leaves idle connections open, whose client may be about to send its next request. */
  drain: number;
  /** How long a stop waits for requests under way before it cuts them off. */
  stop: number;
  /** How long a stop then takes at most to count clicks and take leave of the database; the next process goes on where it was. */
  finish: number;
  /** How often what is past its time is removed from the store. */
  housekeeping: number;
  /** How often to look whether the block list has changed. */
  watch: number;
}

export const TIMEOUTS: Timeouts = {
  headers: 10_000,
  request: 20_000,
  check: 5_000,
  upload: 1_800_000,
  // Longer than proxies and browsers keep a connection, so that it is they who close it, never under a request.
  keepAlive: 120_000,
  unread: 900_000,
  // Busy clients come back within milliseconds.
  drain: 500,
  stop: 10_000,
  finish: 10_000,
  housekeeping: 3_600_000,
  watch: 1_000,
};

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Cuts off a request whose body does not arrive in time. Node's own deadline is the same for all requests of a server;
 * this one can be extended.
 *
 * @param patience in milliseconds
 */
export function withDeadline(answer: RequestListener, patience: number): RequestListener {
  return (request, response) => {
    // Most bodies have come with their head by then, and a timer for each would cost a create a thirtieth of its time.
    if (hasBody(request)) setImmediate(() => startDeadline(request, response, patience));
    answer(request, response);
  };
}

function startDeadline(request: IncomingMessage, response: ServerResponse, patience: number): void {
  if (request.complete || request.destroyed) return;
  const deadline = setTimeout(() => {
    if (!request.complete) cutOff(request, response);
  }, patience);
  // A request that was answered and whose connection then broke is not closed, and would keep a process that has stopped.
  deadline.unref();
  deadlines.set(request, deadline);
  request.once('close', () => clearTimeout(deadline));
}

/** Starts the deadline of a request anew while its body is still coming. */
export function extendDeadline(request: IncomingMessage): void {
  deadlines.get(request)?.refresh();
}

function cutOff({ socket }: IncomingMessage, response: ServerResponse): void {
  const error = Object.assign(new Error('The request took too long.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  // Already answered, so that only the rest of its body is still coming.
  if (response.headersSent) socket.destroySoon();
  else answerClientError(error, socket);
}
