import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { answerClientError } from './client-errors.ts';
import { hasBody } from './connection.ts';

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
