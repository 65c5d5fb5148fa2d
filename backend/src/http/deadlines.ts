import type { IncomingMessage, RequestListener } from 'node:http';
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
        if (!request.complete) cutOff(request, response.headersSent);
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

function cutOff({ socket }: IncomingMessage, isAnswered: boolean): void {
  const error = Object.assign(new Error('The request took too long.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  if (!isAnswered) answerClientError(error, socket);
  socket.destroySoon();
}
