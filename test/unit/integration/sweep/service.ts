import type { ServiceInfo } from '../../../../src/queue/types.ts';

const CREATED_AT = '2026-03-28T09:30:00.000Z';

/** A link-shortening service, either with all features or as the specification describes it. */
export class SweepService {
  readonly baseUrl = 'https://service.example';
  readonly apiKey = 'the key';
  readonly info: ServiceInfo | null;
  readonly links: { url: string; shortUrl: string; key: string }[] = [];

  constructor(kind: 'full' | 'spec-only') {
    const features = ['idempotency', 'rate-limit', 'key', 'links', 'chosen-codes'];
    const codes = { alphabet: 'abcdefgh', length: 6 };
    this.info = kind === 'full' ? { name: 'Full', shortBaseUrl: 'https://short.example', features, codes } : null;
  }

  /** Answers a request. Returns the status and the JSON of the response. */
  answer(method: string, path: string, key: string, body: string): { status: number; json: unknown } {
    if (method === 'POST') return { status: 201, json: this.#make(key, JSON.parse(body)) };
    const found = this.links.find(({ shortUrl }) => path === `/api/v1/urls/${shortUrl.split('/').at(-1)}`);
    if (found) return { status: 200, json: this.#shown(found) };
    if (path === '/api' && this.info) return { status: 200, json: { version: '1', ...this.info } };
    if (path !== '/api/v1/key' || !this.info) return { status: 404, json: { error: 'Not here.' } };
    const quota = { limit: 20, windowSeconds: 86_400, remaining: 20 - this.links.length, resetSeconds: 3_600 };
    const throttle = { limit: 1, windowSeconds: 1, remaining: 0, resetSeconds: 1 };
    return { status: 200, json: { name: 'key', lastFour: 'abcd', createdAt: CREATED_AT, throttle, quota } };
  }

  /** Creates a link, or finds the link that a request with the same idempotency key has created. */
  #make(key: string, { url, shortCode }: { url: string; shortCode?: string }) {
    const known = this.info && this.links.find((link) => link.key === key);
    if (known) return this.#shown(known);
    const made = { key, url, shortUrl: `https://short.example/${shortCode ?? this.links.length + 1}` };
    this.links.push(made);
    return this.#shown(made);
  }

  #shown({ url, shortUrl }: { url: string; shortUrl: string }) {
    const shortCode = shortUrl.split('/').at(-1);
    return { message: 'ok', shortUrl, shortCode, url, title: null, createdAt: CREATED_AT, expiresAt: null, clicks: 0 };
  }
}
