import { createServer, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';

/** Faults that the proxy applies to the next requests for links or, at a gate for short URLs, to all requests. */
export type GateManner =
  | 'right'
  /** The service receives requests, but the proxy delays the responses. */
  | 'hold'
  /** The connection breaks before the service receives anything. */
  | 'drop-before'
  /** The connection breaks after the service has responded. */
  | 'drop-after'
  /** The connection breaks in the middle of the response. */
  | 'cut';

/** A proxy between the extension and a service that can lose requests and responses. Connections are kept alive. */
export interface Gate {
  baseUrl: string;
  /** Fault for the next requests. The default `right` means no fault. */
  manner: GateManner;
  /** Values of all `Authorization` headers. */
  readonly authorizations: Set<string>;
  /** `Idempotency-Key` headers of the requests for links that the service has answered, in order. */
  readonly answered: (string | undefined)[];
  /** Milliseconds from the arrival of each request for links to the service's response, in order. */
  readonly roundTrips: number[];
  close(): Promise<void>;
}

/**
 * Starts a proxy in front of the service at `target`. If the client disconnects, the proxy drops its delayed
 * responses.
 *
 * @param isForShortUrls true if faults apply to all requests and not only to requests for links
 */
export async function openGate(target: string, isForShortUrls = false): Promise<Gate> {
  const server = createServer((request, response) => {
    const manner = isForShortUrls || request.method === 'POST' ? gate.manner : 'right';
    if (request.headers.authorization) gate.authorizations.add(request.headers.authorization);
    if (manner === 'drop-before') return void request.socket.destroy();
    const forwarded = send(new URL(request.url ?? '/', target), {
      method: request.method,
      headers: { ...request.headers, host: new URL(target).host },
    });
    request.pipe(forwarded);
    const arrived = performance.now();
    forwarded.on('error', () => response.destroy());
    forwarded.on('response', (answer) => {
      if (request.method === 'POST') gate.roundTrips.push(performance.now() - arrived);
      if (request.method === 'POST') gate.answered.push(request.headers['idempotency-key']?.toString());
      if (manner === 'hold') return void answer.resume();
      if (manner === 'drop-after') return void request.socket.destroy();
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (manner === 'cut') response.write('{', () => request.socket.destroy());
      else answer.pipe(response);
    });
  });
  const { origin, close } = await listen(server);
  const gate: Gate = {
    baseUrl: origin,
    manner: 'right',
    authorizations: new Set(),
    answered: [],
    roundTrips: [],
    close,
  };
  return gate;
}

export interface Recorded {
  method: string;
  /** Scheme, host and port. An encrypted request reveals nothing else. */
  origin: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/**
 * A proxy that records every request of a browser, including requests to loopback. It forwards requests only to the
 * allowed ports.
 */
export interface RecordingProxy {
  /** Host and port of the proxy, for the browser's settings. */
  address: string;
  readonly recorded: Recorded[];
  close(): Promise<void>;
}

/** @param reachable loopback port for each allowed host and port */
export async function startRecordingProxy(reachable: Record<string, number>): Promise<RecordingProxy> {
  const recorded: Recorded[] = [];
  const server = createServer(async (request, response) => {
    const { origin, host, pathname, search } = new URL(request.url ?? '/');
    const { method = 'GET', headers } = request;
    const body = await text(request);
    recorded.push({ method, origin, path: pathname + search, headers, body });
    const port = reachable[host];
    if (port === undefined) return void response.writeHead(502).end();
    const forwarded = send({ host: '127.0.0.1', port, path: pathname + search, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    forwarded.end(body);
  });
  server.on('connect', ({ url = '', headers }, socket) => {
    recorded.push({ method: 'CONNECT', origin: `https://${url}`, path: '', headers, body: '' });
    // A browser that is killed resets its connections.
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  const { port, close } = await listen(server);
  return {
    address: `127.0.0.1:${port}`,
    recorded,
    close,
  };
}
