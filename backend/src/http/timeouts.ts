import type { IncomingMessage, RequestListener } from 'node:http';
import { answerClientError } from './malformed-requests.ts';

/** All timeouts and intervals of the service, in milliseconds. */
export interface Timeouts {
  /** Time within which a client must send the headers of a request. */
  headers: number;
  /** Time within which a client must send a whole request. */
  request: number;
  /** Interval at which Node checks if clients have sent their requests in time. */
  check: number;
  /**
   * Maximum total time for a file upload. If no new data arrives for the time that `request` sets, the upload is
   * aborted.
   */
  upload: number;
  keepAlive: number;
  /**
   * Time after which clients that do not read their response are disconnected. This time is long, because a slow
   * client may need minutes to read the data that the kernel has buffered.
   */
  unread: number;
  /**
   * Time for which idle connections stay open while the service stops, because clients may already be sending
   * requests.
   */
  drain: number;
  /**
   * Time for which the service waits for open requests when it stops. After this time, their connections are closed.
   */
  stop: number;
  /**
   * Maximum time for storing the last clicks and closing the database when the service stops.
   */
  finish: number;
  maintenance: number;
  /** Interval at which the file of blocked hosts is checked for changes. */
  watch: number;
}

export const TIMEOUTS: Timeouts = {
  headers: 10_000,
  request: 20_000,
  check: 5_000,
  upload: 1_800_000,
  // Must be longer than the timeouts of proxies and browsers, so that clients close idle connections first. If the
  // server closed an idle connection first, a request that is already on its way could be lost.
  keepAlive: 120_000,
  unread: 900_000,
  drain: 500,
  stop: 10_000,
  finish: 10_000,
  maintenance: 3_600_000,
  watch: 1_000,
};

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Answers 408 if the body of a request does not arrive in time. Unlike Node's similar timeout, this timeout can be
 * extended for a single request.
 *
 * @param timeout in milliseconds
 */
export function withBodyTimeout(answer: RequestListener, timeout: number): RequestListener {
  return (request, response) => {
    const timer = setTimeout(() => {
      const error = Object.assign(new Error('The request took too long.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      if (!request.complete) answerClientError(error, request.socket);
    }, timeout).unref();
    timers.set(request, timer);
    request.once('close', () => clearTimeout(timer));
    answer(request, response);
  };
}

/** Restarts the timeout for a request whose body is still arriving. */
export function extendBodyTimeout(request: IncomingMessage): void {
  timers.get(request)?.refresh();
}
