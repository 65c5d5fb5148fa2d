import type { IncomingMessage, RequestListener } from 'node:http';
import { errorAnswer } from '../routes/errors.ts';
import { notHttp } from './client-errors.ts';

/**
 * Passes on what is HTTP/1.1 with one `Host`, or HTTP/1.0. What else Node's parser lets through is answered 400
 * (RFC 9112, section 3.2): a proxy might read such a request differently from us.
 *
 * @param onRefused called for each request that is not passed on
 */
export function requireWellFormed(answer: RequestListener, onRefused = () => {}): RequestListener {
  return (request, response) => {
    if (isWellFormed(request)) {
      answer(request, response);
      return;
    }
    onRefused();
    const { status, body } = errorAnswer(notHttp());
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    response.writeHead(status, { ...headers, Connection: 'close' }).end(body);
  };
}

function isWellFormed(request: IncomingMessage): boolean {
  const hosts = countHosts(request.rawHeaders);
  return request.httpVersion === '1.1' ? hosts === 1 : request.httpVersion === '1.0' && hosts <= 1;
}

/** Node's `headers` keep the first of several alone. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
