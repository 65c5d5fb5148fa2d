import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FEATURE, formatRateLimit, HEADER } from '@terse/contract';
import { dateOf, type ModelAnswer, ModelService } from '../queue/model-service.ts';
import type { Fate } from './mortal-life.ts';

/** How the next POST fares. */
export type Manner = 'right' | 'busy' | 'bad-gateway' | 'drop-before' | 'drop-after';

/** The model service behind a real HTTP server on loopback. Its clock shows the true time of the history it is in. */
export class HttpService {
  model = new ModelService('full', 20);
  manner: Manner = 'right';
  fate: Fate = { now: 0, clockError: 0, chance: () => 0 };
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** A new history: nothing has happened yet. */
  begin(kind: ModelService['kind'], fate: Fate): void {
    this.model = new ModelService(kind, 20);
    this.manner = 'right';
    this.fate = fate;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    const { now } = this.fate;
    const reply = request.method === 'GET' ? this.#look(request.url ?? '') : this.#post(now, request, body);
    if (!reply) return void request.socket.destroy();
    const date = new Date(dateOf(now)).toUTCString();
    const fields = { 'content-type': 'application/json', connection: 'close', date, ...reply.headers };
    response.writeHead(reply.status, fields).end(JSON.stringify(reply.json));
  }

  #look(path: string): Reply {
    if (path !== '/api' || this.model.kind === 'spec-only') return { status: 404, json: { error: 'Not here.' } };
    const features: string[] = [FEATURE.idempotency, FEATURE.rateLimit];
    if (this.model.kind === 'batching') features.push(FEATURE.batch);
    return { status: 200, json: { name: 'Model', version: '1', shortBaseUrl: 'https://s.example', features } };
  }

  /** Null where the connection is closed without a word. */
  #post(now: number, { headers, url }: IncomingMessage, body: string): Reply | null {
    if (this.manner === 'drop-before') return null;
    const answer = this.model.post(now, String(headers['idempotency-key']), body, this.manner);
    if (this.manner === 'drop-after') return null;
    if (this.manner === 'bad-gateway') return { status: 502, json: '<h1>Bad Gateway</h1>' };
    return { ...judged(answer, url === '/api/v1/urls/batch'), headers: limitHeaders(answer) };
  }
}

interface Reply {
  status: number;
  json: unknown;
  headers?: Record<string, string>;
}

function judged({ refusal, results }: ModelAnswer, isBatch: boolean): Reply {
  if (refusal) return { status: refusal === 'busy' ? 503 : 429, json: { error: 'Later.', code: refusal } };
  const refused = { error: 'Please enter a valid URL.', code: 'invalid_url' };
  if (isBatch) {
    const item = (shortUrl: string | null, index: number) =>
      shortUrl ? { index, status: 201, link: linkOf(shortUrl) } : { index, status: 400, ...refused };
    return { status: 207, json: { results: results.map(item) } };
  }
  const [shortUrl] = results;
  return shortUrl ? { status: 200, json: { message: 'ok', shortUrl } } : { status: 400, json: refused };
}

function limitHeaders({ limits: { throttle, quota }, retryAfterSeconds }: ModelAnswer): Record<string, string> {
  const { policy, state } = formatRateLimit(throttle && quota ? { throttle, quota } : {});
  return {
    ...(policy ? { [HEADER.rateLimitPolicy]: policy, [HEADER.rateLimit]: state } : {}),
    ...(retryAfterSeconds === null ? {} : { [HEADER.retryAfter]: String(retryAfterSeconds) }),
  };
}

function linkOf(shortUrl: string) {
  const createdAt = '2026-03-28T09:30:00.000Z';
  return { shortCode: 'abc', shortUrl, url: 'https://x.example/', title: null, createdAt, expiresAt: null, clicks: 0 };
}
