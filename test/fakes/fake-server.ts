import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeRequest {
  method: string;
  /** Path without the query, still percent-encoded. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Objects in `body` are sent as JSON. */
export interface FakeResponse {
  status: number;
  headers?: Record<string, string>;
  body?: string | object;
}

/** A link as the fake stores it, in the fields that all servers have. */
export interface FakeLink {
  code: string;
  url: string;
  /** Domain of the link. Null if the server has one domain, or if the link is on the default domain. */
  domain: string | null;
}

/**
 * Replaces the response to a request. `lost-before` closes the connection before the server acts, `lost-after` closes
 * it after the server acted. Null leaves the response unchanged.
 */
export type Interference = 'lost-before' | 'lost-after' | FakeResponse | null;

/** An HTTP server on loopback that responds like a shortening server and keeps its links in memory. */
export abstract class FakeServer {
  readonly received: FakeRequest[] = [];
  /** Address of the server without a trailing slash. */
  baseUrl = '';
  /** Time of the server in milliseconds. */
  now: () => number = Date.now;
  interfere: (request: FakeRequest) => Interference = () => null;
  /** Key or signature that the server accepts. */
  abstract readonly apiKey: string;

  readonly #server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { pathname, searchParams } = new URL(`http://fake${request.url}`);
    const { method = '', headers } = request;
    const received: FakeRequest = { method, path: pathname, query: searchParams, headers, body };
    this.received.push(received);
    const interference = this.interfere(received);
    if (interference === 'lost-before') return void request.socket.destroy();
    const isReplaced = interference !== null && typeof interference === 'object';
    const { status, headers: extra = {}, body: answer = '' } = isReplaced ? interference : await this.answer(received);
    if (interference === 'lost-after') return void request.socket.destroy();
    const isJson = typeof answer === 'object';
    response.writeHead(status, { ...(isJson && { 'content-type': 'application/json' }), ...extra });
    response.end(isJson ? JSON.stringify(answer) : answer);
  });

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.baseUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** All stored links, oldest first. */
  abstract get links(): readonly FakeLink[];

  /** Creates a link that belongs to another user of the server. */
  abstract addForeignLink(code: string, url: string): void;

  /** Acts on a request and returns the server's response. */
  protected abstract answer(request: FakeRequest): FakeResponse | Promise<FakeResponse>;
}
