import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../routes/errors.ts';
import { notHttp, type OnRefused, sendError } from './client-errors.ts';
import { makeLast } from './connection.ts';

/**
 * Passes on HTTP/1.1 with exactly one valid `Host`, and HTTP/1.0 with one or none. Whatever else Node's parser lets
 * through is answered 400 (RFC 9112, section 3.2): a proxy might read such a request differently from us, and what follows it.
 * So that is dropped.
 *
 * @param onRefused called for each request that is not passed on
 */
export function requireWellFormed(answer: RequestListener, onRefused: OnRefused): RequestListener {
  return (request, response) => {
    // Its answer would not be sent any more, so nothing is done.
    if (refused.has(request.socket)) return;
    if (isWellFormed(request)) {
      // Node drops what came in the same packet behind a request to upgrade. Nobody must wait for its answer.
      if (valuesOf(request, 'upgrade').length > 0) makeLast(response);
      answer(request, response);
      return;
    }
    refuse(response, onRefused);
  };
}

/** Connections on which a request was refused. */
const refused = new WeakSet<Socket>();

/** Answers a request of which nothing can be made, and drops what follows it. */
export function refuse(response: ServerResponse, onRefused: OnRefused): void {
  const { socket, url } = response.req;
  refused.add(socket);
  makeLast(response);
  onRefused(sendError(response, url === '*' ? noPath() : notHttp()));
}

/** `OPTIONS *` asks what a server can do in general (RFC 9110, section 9.3.7), which nobody needs of this one. */
function noPath(): ApiError {
  return new ApiError('invalid_request', {
    sentence: '"*" is no path, and this service answers requests for a path alone.',
  });
}

function isWellFormed(request: IncomingMessage): boolean {
  const { httpVersion } = request;
  const [host, ...others] = valuesOf(request, 'host');
  if (host === undefined) return httpVersion === '1.0';
  return others.length === 0 && (httpVersion === '1.1' || httpVersion === '1.0') && HOST.test(host);
}

/** A name or an address, and a port (RFC 3986, section 3.2.2). An empty one is refused: it is for targets that name no host. */
const HOST = /^(?:[\w\-.~!$&'()*+,;=%]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/** The values of a header, each as it was sent. Node's `headers` keep the first alone, and are made at the first look at them. */
function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const one = rawHeaders[at] as string;
    if (one.length === name.length && one.toLowerCase() === name) values.push(rawHeaders[at + 1] as string);
  }
  return values;
}
