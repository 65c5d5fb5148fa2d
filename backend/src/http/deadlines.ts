import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { answerClientError } from './client-errors.ts';

const deadlines = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Cuts a request off that is not whole in time. Node does that for all requests of a server alike; here one can be
 * given more.
 *
 * @param patience in milliseconds
 */
export function withDeadline(answer: RequestListener, patience: number): RequestListener {
  return (request, response) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
    if (length !== '0' || encoding !== undefined) {
      const deadline = setTimeout(() => {
        if (!request.complete) cutOff(request, response);
      }, patience);
      deadlines.set(request, deadline);
      request.once('close', () => clearTimeout(deadline));
    }
    answer(request, response);
  };
}

/** Gives a request whose body is still coming as long again to arrive. */
export function extendDeadline(request: IncomingMessage): void {
  deadlines.get(request)?.refresh();
}

function cutOff({ socket }: IncomingMessage, response: ServerResponse): void {
  const error = Object.assign(new Error('The request took too long.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  // Already answered, so that only the rest of its body is still coming.
  if (response.headersSent) socket.destroySoon();
  else answerClientError(error, socket);
}
