import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';

/** Behavior of the service for the next requests. A created link counts even if its response is lost. */
export type Manner =
  | 'right'
  /** Accepts the request and never responds. */
  | 'hang'
  /** Closes the connection without creating a link. */
  | 'drop-before'
  /** Creates the link, then closes the connection without a response. */
  | 'drop-after'
  | 'html-500'
  | 'garbage'
  | 'empty'
  /** Responds with status 429 and without `Retry-After`, because the specification does not require this header. */
  | 'limited'
  /** Responds with status 429 and `Retry-After: 2`. */
  | 'limited-retry-after';

export interface ReceivedRequest {
  url: string;
  /** Behavior of the service for this request. */
  manner: Manner;
  /** `performance.now()` at the request's arrival, and just before the response. */
  at: number;
  answeredAt: number | null;
}

export interface SpecOnlyService {
  baseUrl: string;
  apiKey: string;
  /** Behavior of the service for the next requests. The default is `right`. */
  manner: Manner;
  readonly received: ReceivedRequest[];
  readonly made: string[];
  /** Values of all `Authorization` headers. */
  readonly authorizations: Set<string>;
  close(): Promise<void>;
}

/**
 * Starts a service that supports only `POST /api/shorten` of the specification. It has no service document, no extra
 * headers and no idempotency keys. Tests can make the service misbehave.
 */
export async function startSpecOnlyService(): Promise<SpecOnlyService> {
  const server = createServer((request, response) => void answer(service, request, response));
  const { origin, close } = await listen(server);
  const service: SpecOnlyService = {
    baseUrl: origin,
    apiKey: `spec-only-key-${crypto.randomUUID()}`,
    manner: 'right',
    received: [],
    made: [],
    authorizations: new Set(),
    close,
  };
  return service;
}

async function answer(service: SpecOnlyService, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const say = (status: number, body: object) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (request.headers.authorization) service.authorizations.add(request.headers.authorization);
  if (request.url !== '/api/shorten') {
    return void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>');
  }
  if (request.method !== 'POST') return say(405, { error: 'Only POST is supported.' });
  if (request.headers.authorization !== `Bearer ${service.apiKey}`) return say(401, { error: 'Unknown API key.' });

  const { url } = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const { manner } = service;
  const one: ReceivedRequest = { url, manner, at: performance.now(), answeredAt: null };
  service.received.push(one);
  const make = () => {
    service.made.push(url);
    return { message: 'Short link created.', shortUrl: `${service.baseUrl}/s${service.made.length}` };
  };
  const html = { 'content-type': 'text/html' };
  const manners: Record<Manner, () => void> = {
    right: () => say(200, make()),
    hang: () => {},
    'drop-before': () => request.socket.destroy(),
    'drop-after': () => {
      make();
      request.socket.destroy();
    },
    'html-500': () => response.writeHead(500, html).end('<h1>Internal Server Error</h1><script>alert(1)</script>'),
    garbage: () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"shortUrl": ["'),
    empty: () => response.writeHead(200).end(),
    limited: () => response.writeHead(429).end(),
    'limited-retry-after': () => response.writeHead(429, { 'retry-after': '2' }).end(),
  };
  // Set before sending, because the extension may receive the response before this process continues.
  if (manner !== 'hang') one.answeredAt = performance.now();
  manners[manner]();
}
