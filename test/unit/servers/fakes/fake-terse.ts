import { ERROR_STATUS, type ErrorCode, INVALID_URL_MESSAGE } from '@terse/contract/errors';
import { isTitle, parseDateTime, SHORT_CODE_PATTERN } from '@terse/contract/link-fields';
import { BatchRequest, CreateLinkRequest, EditLinkRequest, LinkListQuery } from '@terse/contract/links';
import { FEATURE } from '@terse/contract/service-capabilities';
import { type FakeAnswer, type FakeLink, type FakeRequest, FakeServer, type NewFakeLink } from './fake-server.ts';

const SHORT_BASE = 'https://s.example';
const CODES = { alphabet: 'abcdefghjkmnpqrstuvwxyz', length: 7 };
const THROTTLE = { limit: 1, windowSeconds: 1, remaining: 1, resetSeconds: 0 };
const QUOTA = { limit: 20, windowSeconds: 86_400, remaining: 7, resetSeconds: 60 };

/** Fake of our own service, which follows the contract's schemas. */
export class FakeTerse extends FakeServer {
  readonly #features: string[];
  readonly #answers = new Map<string, FakeAnswer>();
  readonly #retired = new Set<string>();
  #count = 0;

  constructor(features: string[] = Object.values(FEATURE)) {
    super();
    this.#features = features;
  }

  /** Links are listed in the order of their creation times. */
  override add(link: NewFakeLink): FakeLink {
    return super.add({ ...link, createdAt: this.now + ++this.#count });
  }

  protected override isCreate({ method }: FakeRequest): boolean {
    return method === 'POST';
  }

  protected override answer(request: FakeRequest): FakeAnswer {
    const { method, path, headers } = request;
    if (path === '/api' && method === 'GET') return this.#document();
    if (!path.startsWith('/api/')) return refusal('not_found');
    if (headers.authorization !== `Bearer ${this.apiKey}`) return refusal('unauthorized');
    if (path === '/api/v1/key')
      return { status: 200, body: { name: 'laptop', lastFour: 'cdef', throttle: THROTTLE, quota: QUOTA } };
    if (method === 'POST') return this.#post(request);
    if (path === '/api/v1/urls') return this.#list(request.query);
    const [, kind = '', code = ''] = /^\/api\/v1\/(urls|analytics)\/(.+)$/.exec(path) ?? [];
    const link = this.links.find(({ shortCode, isForeign }) => shortCode === code && !isForeign);
    if (!link) return refusal(this.#retired.has(code) ? 'gone' : 'not_found');
    if (kind === 'analytics') return { status: 200, body: this.#analytics(link) };
    if (method === 'PATCH') return this.#edit(link, EditLinkRequest.parse(JSON.parse(request.body)));
    if (method !== 'DELETE') return { status: 200, body: jsonOf(link) };
    this.#retired.add(code);
    this.remove(link);
    return { status: 204 };
  }

  #document(): FakeAnswer {
    const body = { name: 'Terse', version: '1.0.0', shortBaseUrl: SHORT_BASE, features: this.#features, codes: CODES };
    return this.#features.length === 0 ? refusal('not_found') : { status: 200, body };
  }

  #post({ path, headers, body }: FakeRequest): FakeAnswer {
    if (path !== '/api/v1/urls/batch') return this.#once(String(headers['idempotency-key']), JSON.parse(body));
    const { urls } = BatchRequest.parse(JSON.parse(body));
    const results = urls.map((item, index) => {
      const { idempotencyKey } = item as { idempotencyKey: string };
      const answer = this.#once(idempotencyKey, item);
      return answer.status === 201
        ? { index, status: 201, link: answer.body }
        : { index, status: answer.status, ...(answer.body as object) };
    });
    return { status: 207, body: { results } };
  }

  /** Answers a repeated request with the first answer. */
  #once(key: string, item: unknown): FakeAnswer {
    const isIdempotent = this.#features.includes(FEATURE.idempotency);
    const known = isIdempotent ? this.#answers.get(key) : undefined;
    const answer = known ?? this.#create(item);
    this.#answers.set(key, answer);
    return answer;
  }

  #create(item: unknown): FakeAnswer {
    const parsed = CreateLinkRequest.safeParse(item);
    if (!parsed.success) return refusal('invalid_short_code');
    const { url, shortCode, title, expiresAt, tags } = parsed.data;
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return refusal('invalid_url', INVALID_URL_MESSAGE);
    if (new URL(url).hostname === 's.example') return refusal('target_refused');
    if (title && !isTitle(title)) return refusal('invalid_title');
    const at = expiresAt ? parseDateTime(expiresAt) : null;
    if (at !== null && at <= this.now) return refusal('invalid_expiry');
    const code = shortCode ?? `made${this.#count}`;
    if (!SHORT_CODE_PATTERN.test(code)) return refusal('invalid_short_code');
    if (this.find(code)) return refusal('short_code_taken');
    const link = this.add({ shortCode: code, url, title: title ?? null, expiresAt: at, tags: tags ?? [] });
    return { status: 201, body: jsonOf(link) };
  }

  #edit(link: FakeLink, { url, title, expiresAt, tags }: EditLinkRequest): FakeAnswer {
    if (url !== undefined) link.url = url;
    if (title !== undefined) link.title = title;
    if (expiresAt !== undefined) link.expiresAt = expiresAt === null ? null : parseDateTime(expiresAt);
    if (tags !== undefined) link.tags = tags ?? [];
    return { status: 200, body: jsonOf(link) };
  }

  #list(query: URLSearchParams): FakeAnswer {
    const { limit, cursor } = LinkListQuery.parse(Object.fromEntries(query));
    const own = this.links.filter(({ isForeign }) => !isForeign).toReversed();
    const start = own.findIndex(({ shortCode }) => shortCode === cursor) + 1;
    const nextCursor = start + limit < own.length ? own[start + limit - 1]?.shortCode : null;
    return { status: 200, body: { links: own.slice(start, start + limit).map(jsonOf), nextCursor } };
  }

  #analytics({ shortCode, clicks }: FakeLink): object {
    const [from, to] = [this.now - 86_400_000, this.now].map((at) => new Date(at).toISOString().slice(0, 10));
    const none = { referrers: [], browsers: [], systems: [], devices: [], countries: [] };
    return { shortCode, from, to, interval: 'day', clicks, visitors: clicks, bots: 0, series: [], ...none };
  }
}

function jsonOf({ shortCode, url, title, createdAt, expiresAt, clicks, tags }: FakeLink): object {
  const date = (at: number) => new Date(at).toISOString();
  const times = { createdAt: date(createdAt), expiresAt: expiresAt === null ? null : date(expiresAt) };
  return { shortCode, shortUrl: `${SHORT_BASE}/${shortCode}`, url, title, clicks, tags, ...times };
}

function refusal(code: ErrorCode, error = 'No.'): FakeAnswer {
  return { status: ERROR_STATUS[code], body: { error, code } };
}
