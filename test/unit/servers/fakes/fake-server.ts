import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as a fake receives it. */
export interface FakeRequest {
  method: string;
  /** Path without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

/** An answer of a fake. An object as `body` is sent as JSON, a text is sent unchanged. */
export interface FakeAnswer {
  status: number;
  body?: unknown;
  /** The default type is `application/json` for objects, and `text/html` for text. */
  headers?: Record<string, string>;
}

/** Web page that some servers send with status 200 instead of an error. */
export const PAGE: FakeAnswer = { status: 200, body: '<!DOCTYPE html><title>Shortener</title>' };

/** Error that ends the handling of a request with an answer. */
export class Refusal extends Error {
  readonly answer: FakeAnswer;

  constructor(status: number, body: unknown) {
    super(`${status}`);
    this.answer = { status, body };
  }
}

/** A link that a fake has. Times are in milliseconds. Each kind of server uses some of the fields. */
export interface FakeLink {
  shortCode: string;
  url: string;
  title: string | null;
  /** Host of the short URL. Null for the default domain. */
  domain: string | null;
  expiresAt: number | null;
  clicks: number;
  /** True if another user of the server created the link. */
  isForeign: boolean;
  id: string;
  createdAt: number;
  tags: string[];
  password: string | null;
  /** API key with which the link was created. */
  author: string;
  /** Clicks of bots, start time and maximum number of visits of a link at Shlink. */
  bots: number;
  validSince: number | null;
  maxVisits: number | null;
  /** Properties that the extension does not know. */
  others: Record<string, unknown>;
}

export type NewFakeLink = Partial<FakeLink> & Pick<FakeLink, 'shortCode' | 'url'>;

/**
 * Disturbance of the next request that creates a link.
 * `lost_before`: the connection ends before the request has an effect. `lost_after`: the link is created, and the
 * connection ends before the answer. `truncated`: the link is created, and the connection ends in the middle of the
 * answer.
 */
export type Disturbance = 'lost_before' | 'lost_after' | 'truncated';

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

/**
 * Fake of one kind of server on loopback, over real HTTP. A subclass answers the extension's requests exactly as the
 * real server does, with its statuses, bodies and faults. It keeps its links in memory and never fetches a URL.
 */
export abstract class FakeServer {
  /** Key that the server accepts. */
  readonly apiKey: string = 'key-0123456789abcdef';
  /** All links, including those of other users, in the order of their creation. */
  readonly links: FakeLink[] = [];
  /** All requests so far. */
  readonly heard: FakeRequest[] = [];
  /** Disturbance of the next create. Null if the create is answered normally. */
  disturbance: Disturbance | null = null;
  /** Replaces the answers to all requests, for example with a gateway's page. */
  gateway: Respond | null = null;
  /** Number of requests that the gateway lets through first. */
  passed = 0;
  /** Changes the text of each answer, for values that no known version of the server sends. */
  changeText = (text: string): string => text;
  /** Current time in milliseconds. */
  now = Date.UTC(2026, 2, 28, 9, 30);
  baseUrl = '';
  readonly #server = createServer((request, response) => void this.#respond(request, response));

  /** Answers a request. May throw a `Refusal`. */
  protected abstract answer(request: FakeRequest): FakeAnswer | Promise<FakeAnswer>;

  /** True if the request asks the server to create a link. */
  protected abstract isCreate(request: FakeRequest): boolean;

  /** Creates a link directly, as if a user had done so on the server's own page. */
  add(link: NewFakeLink): FakeLink {
    const added: FakeLink = {
      ...{ title: null, domain: null, expiresAt: null, clicks: 0, isForeign: false, author: this.apiKey },
      ...{ id: crypto.randomUUID(), createdAt: this.now, tags: [], password: null, others: {} },
      ...{ bots: 0, validSince: null, maxVisits: null },
      ...link,
    };
    this.links.push(added);
    return added;
  }

  protected find(shortCode: string): FakeLink | undefined {
    return this.links.find((link) => link.shortCode === shortCode);
  }

  protected remove(link: FakeLink): void {
    this.links.splice(this.links.indexOf(link), 1);
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.baseUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString();
    const { method = '', url = '/', headers } = request;
    const { pathname: path, searchParams: query } = new URL(this.baseUrl + url);
    const heard = { method, path, query, headers, body };
    this.heard.push(heard);
    if (this.gateway && this.passed-- <= 0) return this.gateway(response, request);
    const disturbance = this.isCreate(heard) ? this.disturbance : null;
    if (disturbance) this.disturbance = null;
    if (disturbance === 'lost_before') return void request.socket.destroy();
    const answer = await this.#answerOrRefuse(heard);
    if (disturbance === 'lost_after') return void request.socket.destroy();
    const isJson = typeof answer.body === 'object';
    const text = this.changeText(isJson ? JSON.stringify(answer.body) : String(answer.body ?? ''));
    const type = isJson ? 'application/json' : 'text/html; charset=utf-8';
    const date = new Date(this.now).toUTCString();
    const all = { ...(text && { 'content-type': type }), date, ...answer.headers };
    if (disturbance !== 'truncated') return void response.writeHead(answer.status, all).end(text);
    response.writeHead(answer.status, { ...all, 'content-length': `${Buffer.byteLength(text) + 10}` });
    response.write(text.slice(0, -3), () => request.socket.destroy());
  }

  async #answerOrRefuse(request: FakeRequest): Promise<FakeAnswer> {
    try {
      return await this.answer(request);
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      throw error;
    }
  }
}
