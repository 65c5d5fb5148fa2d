import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Heard {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Manner = (response: ServerResponse, request: IncomingMessage) => void;

/** An HTTP server on loopback whose behavior each test sets. Records all requests. */
export class MisbehavingServer {
  readonly heard: Heard[] = [];
  /** Behavior of the server for all paths without their own behavior. */
  manner: Manner = says(404);
  readonly manners = new Map<string, Manner>();
  readonly #server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { method = '', url = '', headers } = request;
    this.heard.push({ method, path: url, headers, body });
    (this.manners.get(url) ?? this.manner)(response, request);
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Responds with this status and body. Objects are sent as JSON. */
export function says(status: number, body: unknown = '', headers: Record<string, string> = {}): Manner {
  const json = typeof body === 'object';
  return (response) => {
    const type = json ? 'application/json' : 'text/html';
    response.writeHead(status, { 'content-type': type, connection: 'close', ...headers });
    response.end(json ? JSON.stringify(body) : body);
  };
}

/** Closes the connection without a response. */
export const hangsUp: Manner = (_response, request) => request.socket.destroy();

/** Closes the connection in the middle of a valid response. */
export const breaksOff: Manner = (response, request) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
  response.write('{"shortUrl":"https://s.ex', () => request.socket.destroy());
};

export const hangs: Manner = () => {};

/** Starts a response and never ends it. */
export const trickles: Manner = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"shortUrl":');
};

/** Sends an endless response. */
export const floods: Manner = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  };
  response.on('drain', more);
  more();
};
