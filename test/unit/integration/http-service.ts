import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HEADER } from '@terse/contract/http-headers';
import { type Kind, ModelService } from '../queue/model/service.ts';
import { answerHttp } from './http-answer.ts';

/** A model service behind a real HTTP server on loopback with keep-alive connections. Its clock is always correct. */
export class HttpService {
  readonly kind: Kind;
  model: ModelService;
  baseUrl = '';
  #now: () => number = () => 0;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  constructor(kind: Kind) {
    this.kind = kind;
    this.model = new ModelService(kind, kind);
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.baseUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  begin(now: () => number): void {
    this.model = new ModelService(this.kind, this.kind);
    this.#now = now;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    const { method = '', url = '', headers } = request;
    const apiKey = String(headers.authorization ?? '').replace('Bearer ', '');
    const idempotencyKey = String(headers[HEADER.idempotencyKey.toLowerCase()] ?? '');
    const answer = answerHttp(this.model, this.#now(), { method, path: url, apiKey, idempotencyKey, body });
    // A missing response is simulated by closing the connection.
    if (!answer) return void request.socket.destroy();
    response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.json));
  }
}
