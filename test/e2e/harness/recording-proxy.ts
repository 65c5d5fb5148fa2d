import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    recorded,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
