import { type FakeAnswer, type FakeRequest, FakeServer } from '../conformance/fake-server.ts';
import {
  findMatching,
  InvalidData,
  isEnabled,
  isVisible,
  readCreate,
  readEdit,
  readPage,
  type ShlinkFields,
  type ShlinkKey,
  type ShlinkLink,
  toAtom,
} from './shlink-links.ts';
import {
  internalError,
  invalidData,
  invalidKey,
  malformedBody,
  noKey,
  nonUniqueSlug,
  noSuchPath,
  Problem,
  shortUrlNotFound,
  tooManyVisits,
} from './shlink-problems.ts';

type Handler = (request: FakeRequest, key: ShlinkKey, code: string) => FakeAnswer;

/**
 * Responds like Shlink 5.1.5 (commit 59c62a2c) with the REST API 3. Written from its source, because Shlink could not
 * be run.
 */
export class FakeShlink extends FakeServer {
  /** Keys that the server accepts. The first one has all permissions. */
  readonly keys: ShlinkKey[] = [{ key: this.apiKey }];
  readonly links: ShlinkLink[] = [];
  /** Domain of links that users add on the server's own page. Null for the default domain. */
  domainOfAdded: string | null = null;
  version = '5.1.5';
  defaultDomain = 's.test';
  /** Path in front of all paths of the server, for example `/shlink`. */
  basePath = '';
  isDatabaseDown = false;
  /** True if short codes are lower-cased. */
  isLoose = false;
  /** True if short codes may contain slashes. */
  isMultiSegment = false;
  /** Number of visits from which a link can no longer be deleted. Null if there is no such limit. */
  deleteThreshold: number | null = null;
  /** Reads the title of a page that was shortened without a title. Null if the server does not read titles. */
  resolveTitle: ((url: string) => string | null) | null = null;
  /** Paths of all requests that the server recorded as visits of unknown pages. */
  readonly orphanVisits: string[] = [];
  /** Long URLs of all pages that the server opened to read a title. */
  readonly titleLookUps: string[] = [];

  add({ isForeign = false, ...link }: Partial<ShlinkLink> & { shortCode: string; url: string }): void {
    const { title = null, domain = this.domainOfAdded, expiresAt = null } = link;
    const fields = { title, domain, expiresAt, tags: [], validSince: null, maxVisits: null, ...link };
    Object.assign(this.#add(fields, isForeign ? 'other' : this.apiKey), { ...link, isForeign });
  }

  protected isCreate({ method, path }: FakeRequest): boolean {
    return method === 'POST' && path.endsWith('/short-urls');
  }

  protected answer(request: FakeRequest): FakeAnswer {
    const answer = this.#route(request);
    const id = request.headers['x-request-id'] ?? crypto.randomUUID();
    const cors = request.headers.origin ? { 'access-control-allow-origin': '*' } : {};
    return { ...answer, headers: { 'x-request-id': String(id), ...cors, ...answer.headers } };
  }

  #route(request: FakeRequest): FakeAnswer {
    const path = decodeURIComponent(request.path);
    const local = path.startsWith(this.basePath) ? path.slice(this.basePath.length) : '';
    if (!/^\/rest(\/|$)/.test(local)) return this.#visit(request, local);
    try {
      return this.#rest(request, local);
    } catch (error) {
      if (error instanceof Problem) return error.answer;
      return (error instanceof InvalidData ? invalidData(error.elements) : internalError()).answer;
    }
  }

  #rest(request: FakeRequest, path: string): FakeAnswer {
    const { method, headers } = request;
    const body = method === 'GET' ? {} : parseBody(request.body);
    const segments = `(health|domains|short-urls)(?:/(${this.isMultiSegment ? '.+' : '[^/]+'}))?`;
    const [, name = '', code = ''] = new RegExp(`^/rest/v[123]/${segments}$`).exec(path) ?? [];
    if (method === 'GET' && (path === '/rest/health' || (name === 'health' && code === ''))) return this.#health();
    const handler = this.#handlers[`${method} ${name}${code && '/code'}`];
    if (!handler) throw noSuchPath(method, `http://${headers.host}${request.path}`);
    return handler({ ...request, body: JSON.stringify(body) }, this.#authenticate(request), code);
  }

  readonly #handlers: Record<string, Handler> = {
    'GET domains': (_request, key) => this.#domains(key),
    'GET short-urls': (request, key) => this.#list(request, key),
    'POST short-urls': (request, key) => this.#create(JSON.parse(request.body), key),
    'GET short-urls/code': (request, key, code) => says(this.#toJson(this.#find(request, key, code))),
    'PATCH short-urls/code': (request, key, code) => {
      const edit = readEdit(JSON.parse(request.body));
      // Shlink opens the page if the URL is edited without a title.
      const title = edit.url === undefined || 'title' in edit ? null : this.#lookUpTitle(edit.url);
      const link = this.#find(request, key, code);
      return says(this.#toJson(Object.assign(link, { title: link.title ?? title }, edit)));
    },
    'DELETE short-urls/code': (request, key, code) => {
      const link = this.#find(request, key, code);
      this.#refuseVisited(link);
      this.links.splice(this.links.indexOf(link), 1);
      return { status: 204 };
    },
  };

  #health(): FakeAnswer {
    const links = { about: 'https://shlink.io', project: 'https://github.com/shlinkio/shlink' };
    const body = { status: this.isDatabaseDown ? 'fail' : 'pass', version: this.version, links };
    return { status: this.isDatabaseDown ? 503 : 200, headers: { 'content-type': 'application/health+json' }, body };
  }

  #authenticate({ headers }: FakeRequest): ShlinkKey {
    const sent = headers['x-api-key'];
    if (!sent) throw noKey();
    const key = this.keys.find((one) => one.key === sent);
    if (!key) throw invalidKey();
    return key;
  }

  #domains(key: ShlinkKey): FakeAnswer {
    const redirects = { baseUrlRedirect: null, regular404Redirect: null, invalidShortUrlRedirect: null };
    const used = this.links.filter((link) => isVisible(link, key)).map(({ domain }) => domain ?? '');
    const others = [...new Set(used)].filter(Boolean).sort();
    const data = others.map((domain) => ({ domain, isDefault: false, redirects }));
    const first = key.domain ? [] : [{ domain: this.defaultDomain, isDefault: true, redirects }];
    return says({ domains: { data: [...first, ...data], defaultRedirects: redirects } });
  }

  #list({ query }: FakeRequest, key: ShlinkKey): FakeAnswer {
    const visible = this.links.filter((link) => isVisible(link, key));
    const { data, pagination } = readPage(visible, query);
    return says({ shortUrls: { data: data.map((link) => this.#toJson(link)), pagination } });
  }

  #create(body: Record<string, unknown>, key: ShlinkKey): FakeAnswer {
    if (body.domain === this.defaultDomain) delete body.domain;
    if (key.domain) body.domain = key.domain;
    const fields = readCreate(body, this);
    const existing = fields.findIfExists && findMatching(this.links, fields, key);
    if (existing) return says(this.#toJson(existing));
    const title = fields.title ?? this.#lookUpTitle(fields.url);
    const { domain, shortCode } = fields;
    if (shortCode !== null && this.links.some((link) => link.shortCode === shortCode && link.domain === domain))
      throw nonUniqueSlug(shortCode, domain);
    return says(this.#toJson(this.#add({ ...fields, title }, key.key)));
  }

  #add(fields: Omit<ShlinkFields, 'findIfExists'>, author: string): ShlinkLink {
    const { shortCode, domain, url, title, tags, validSince, expiresAt, maxVisits } = fields;
    const link: ShlinkLink = {
      shortCode: shortCode ?? crypto.randomUUID().slice(0, 5),
      domain: domain === this.defaultDomain ? null : domain,
      ...{ url, title, tags, validSince, expiresAt, maxVisits },
      ...{ author, createdAt: Math.floor(this.now / 1000) * 1000, clicks: 0, bots: 0, isForeign: false },
    };
    this.links.push(link);
    return link;
  }

  /** Finds a link by its code and domain. The default domain counts as no domain. */
  #find({ query }: FakeRequest, key: ShlinkKey, code: string): ShlinkLink {
    const asked = query.get('domain');
    const domain = asked === this.defaultDomain ? null : asked;
    const link = this.links.find((one) => one.shortCode === code && one.domain === domain && isVisible(one, key));
    if (!link) throw shortUrlNotFound(code, domain);
    return link;
  }

  #refuseVisited({ shortCode, domain, clicks, bots }: ShlinkLink): void {
    const threshold = this.deleteThreshold;
    if (threshold !== null && clicks + bots >= threshold) throw tooManyVisits(shortCode, domain, threshold);
  }

  #lookUpTitle(url: string): string | null {
    if (!this.resolveTitle) return null;
    this.titleLookUps.push(url);
    return this.resolveTitle(url);
  }

  /** Responds to a request outside the API: redirects visitors, and records all other requests as orphan visits. */
  #visit({ method, headers, path }: FakeRequest, local: string): FakeAnswer {
    const code = local.slice(1);
    const candidates = this.links.filter((link) => link.shortCode === code);
    const link = candidates.find(({ domain }) => domain === headers.host) ?? candidates.find(({ domain }) => !domain);
    const isRead = method === 'GET' || method === 'HEAD';
    const isCounted = method !== 'HEAD';
    if (isRead && link && isEnabled(link, this.now)) {
      const isBot = /bot|crawl|curl|spider/i.test(headers['user-agent'] ?? '');
      if (isCounted) link[isBot ? 'bots' : 'clicks']++;
      return { status: 302, headers: { location: link.url } };
    }
    if (isCounted) this.orphanVisits.push(path);
    const isCode = isRead && /^[^/]+$/.test(code);
    const page = isCode
      ? "<h1>Oops!</h1><p>This short URL doesn't seem to be valid.</p>"
      : '<h1>404</h1><h3>Page not found.</h3>';
    return { status: 404, headers: { 'content-type': 'text/html; charset=utf-8' }, body: `<!DOCTYPE html>${page}` };
  }

  #toJson(link: ShlinkLink): object {
    const { shortCode, url, domain, title, tags, createdAt, validSince, expiresAt, maxVisits, clicks, bots } = link;
    // PHP cannot encode a character that was cut in the middle.
    if (title?.includes('\uFFFD')) throw new Error('Malformed UTF-8 characters, possibly incorrectly encoded');
    return {
      shortUrl: `http://${domain ?? this.defaultDomain}${this.basePath}/${shortCode}`,
      shortCode,
      longUrl: url,
      dateCreated: toAtom(createdAt),
      tags,
      meta: { validSince: toAtom(validSince), validUntil: toAtom(expiresAt), maxVisits },
      domain,
      title,
      crawlable: false,
      forwardQuery: true,
      visitsSummary: { total: clicks + bots, nonBots: clicks, bots },
      hasRedirectRules: false,
    };
  }
}

function says(body: object): FakeAnswer {
  return { status: 200, body };
}

/** Parses a body as JSON. Shlink ignores its content type, and checks the key only afterwards. */
function parseBody(body: string): Record<string, unknown> {
  if (body === '') return {};
  try {
    return JSON.parse(body);
  } catch {
    throw malformedBody();
  }
}
