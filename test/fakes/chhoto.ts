import { type ChhotoCreate, isPrintable, parseCreate, parseEdit } from './chhoto-requests.ts';
import { type FakeLink, type FakeRequest, type FakeResponse, FakeServer } from './fake-server.ts';

/** A link as chhoto-url stores it. The expiry is in Unix seconds. */
export interface ChhotoLink extends FakeLink {
  hits: number;
  expiry: number | null;
  notes: string | null;
}

/** Result of one link in a create: its code and expiry, or a reason for the refusal. */
type Added = { code: string; expiry: number } | { reason: string };

/** Maximum time until a link expires, in seconds: five years. */
const MAX_DELAY = 157_784_760;

/** Maximum size of a request body in bytes, which the web framework sets. */
const MAX_BODY_BYTES = 262_144;

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const TEXT = { 'content-type': 'text/plain' };
const NOT_ALLOWED: FakeResponse = {
  status: 405,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: "Request did not meet this resource's requirements.",
};

/**
 * Responds like chhoto-url 7.5.0 (commit 82eb7a0). Written from its source, because chhoto-url could not be run.
 */
export class FakeChhoto extends FakeServer {
  /** Key of the server. An empty key means that the server has none and refuses every key. */
  apiKey = `chhoto-${crypto.randomUUID()}`;
  /** True if the server has a password, so that requests without a key are refused. */
  hasPassword = true;
  isPublic = false;
  /** Configured address of the server, from which it builds short URLs. */
  siteUrl: string | null = null;
  /** Configured port of the server. A proxy in front of the server usually hides it. */
  port = 4567;
  allowsCapitals = false;
  version = '7.5.0';
  readonly allowedProtocols = ['http', 'https', 'ftp', 'magnet'];
  readonly stored: ChhotoLink[] = [];

  /** Links that are not expired. */
  get links(): readonly ChhotoLink[] {
    return this.stored.filter((link) => this.#isAlive(link));
  }

  addForeignLink(code: string, url: string): void {
    this.stored.push({ code, url, domain: null, hits: 0, expiry: null, notes: null });
  }

  protected answer(request: FakeRequest): FakeResponse {
    if (Buffer.byteLength(request.body) > MAX_BODY_BYTES)
      return { status: 413, headers: TEXT, body: 'payload reached size limit' };
    const path = decodeURIComponent(request.path.replace(/\/+/g, '/'));
    const [, code = ''] = /^\/api\/del\/([^/]+)$/.exec(path) ?? [];
    const handler = this.#handlers[`${request.method} ${code ? '/api/del' : path}`];
    if (handler) return handler(request, this.#authenticate(request), code);
    if (request.method !== 'GET' && request.method !== 'HEAD') return NOT_ALLOWED;
    if (path === '/') return { status: 200, headers: HTML, body: '<h1>Chhoto URL</h1>' };
    const link = request.method === 'GET' && this.links.find(({ code }) => path === `/${code}`);
    if (!link) return { status: 404, headers: HTML, body: '<h1>Error 404!</h1>' };
    link.hits++;
    return { status: 308, headers: { location: link.url } };
  }

  readonly #handlers: Record<string, (request: FakeRequest, auth: Auth, code: string) => FakeResponse> = {
    'GET /api/version': () => text(200, `Chhoto URL v${this.version}`),
    'GET /api/siteurl': () => text(200, this.siteUrl ?? 'unset'),
    'GET /api/whoami': (_request, auth) => text(200, isTrusted(auth) ? 'admin' : this.isPublic ? 'public' : 'nobody'),
    'GET /api/getconfig': (_request, auth) => (isTrusted(auth) || this.isPublic ? this.#config() : refused(auth)),
    'GET /api/all': ({ query }, auth) => {
      if (auth === 'none') return text(401, 'Unauthorized');
      return auth === 'wrong' ? text(401, WRONG_KEY) : this.#list(query);
    },
    'POST /api/new': ({ body }, auth) => this.#create(body, auth),
    'POST /api/expand': ({ body }, auth) => {
      if (auth === 'session') return json(401, false, 'This route needs API auth.');
      if (auth !== 'key') return refused(auth);
      const link = this.links.find(({ code }) => code === body);
      if (!link) return json(400, false, 'The shortlink does not exist on the server!');
      const { url, hits, expiry, notes } = link;
      return {
        status: 200,
        body: { success: true, error: false, longurl: url, hits, expiry_time: expiry ?? 0, notes: notes ?? '' },
      };
    },
    'PUT /api/edit': ({ body }, auth) => (isTrusted(auth) ? this.#edit(body) : refused(auth)),
    'DELETE /api/del': (_request, auth, code) => this.#delete(code, auth),
  };

  #authenticate({ headers }: FakeRequest): Auth {
    const key = headers['x-api-key'];
    if (key !== undefined) return key === this.apiKey && key !== '' ? 'key' : 'wrong';
    return this.hasPassword ? 'none' : 'session';
  }

  #config(): FakeResponse {
    return {
      status: 200,
      body: {
        version: this.version,
        site_url: this.siteUrl,
        allow_capital_letters: this.allowsCapitals,
        public_mode: this.isPublic,
        public_mode_expiry_delay: 0,
        allowed_protocols: this.allowedProtocols,
        slug_style: 'Pair',
        slug_length: 8,
        try_longer_slug: false,
        frontend_page_size: 10,
      },
    };
  }

  /** Without a key, the response is plain text with other statuses. */
  #create(body: string, auth: Auth): FakeResponse {
    if (auth === 'wrong') return refused(auth);
    if (auth === 'none' && !this.isPublic) return text(401, 'Not logged in!');
    const request = parseCreate(body);
    const results = request ? request.links.map((one) => this.#add(one)) : [{ reason: 'Invalid request!' }];
    const [first = { reason: 'An empty array of links was provided!' }] = results;
    if (auth !== 'key') return 'reason' in first ? text(409, first.reason) : text(201, first.code);
    if (request?.isMany && results.length > 0)
      return { status: 200, body: results.map((result) => this.#toJson(result)) };
    return { status: 'reason' in first ? 400 : 200, body: this.#toJson(first) };
  }

  #toJson(result: Added): object {
    if ('reason' in result) return { success: false, error: true, reason: result.reason };
    return { success: true, error: false, shorturl: this.#shortUrl(result.code), expiry_time: result.expiry };
  }

  #shortUrl(code: string): string {
    if (this.siteUrl !== null) return `${this.siteUrl}/${code}`;
    const port = this.port === 80 || this.port === 443 ? '' : `:${this.port}`;
    return `http${this.port === 443 ? 's' : ''}://localhost${port}/${code}`;
  }

  #add({ shortlink, longlink, expiry_delay, notes }: ChhotoCreate): Added {
    if (!this.#isCode(shortlink)) return { reason: 'Invalid shortlink!' };
    if (!this.#isUrl(longlink)) return { reason: 'Invalid longlink!' };
    if (!isPrintable(notes)) return { reason: 'Invalid notes!' };
    const code = shortlink || `calm-${crypto.randomUUID().slice(0, 8)}`;
    const old = this.stored.find((link) => link.code === code);
    if (old && this.#isAlive(old)) return { reason: 'Short URL is already in use!' };
    const delay = Math.min(Math.max(expiry_delay ?? 0, 0), MAX_DELAY);
    const expiry = delay > 0 ? this.#seconds() + delay : null;
    const link = { code, url: longlink, domain: null, hits: 0, expiry, notes: notes || null };
    // The new link takes over the row of an expired link.
    if (old) Object.assign(old, link);
    else this.stored.push(link);
    return { code, expiry: expiry ?? 0 };
  }

  #list(query: URLSearchParams): FakeResponse {
    const after = query.get('page_after');
    const page = query.get('page_no');
    if (after === '') return text(400, 'Invalid page_after was supplied!');
    if (page !== null && Number(page) <= 0) return text(400, 'Invalid page_no was supplied!');
    const asked = Number(query.get('page_size') ?? 0);
    const size = asked > 0 ? asked : after !== null || page !== null ? 10 : Number.POSITIVE_INFINITY;
    const newest = this.stored.toReversed();
    const from = after === null ? 0 : newest.findIndex(({ code }) => code === after) + 1;
    // A link that no longer exists cannot be found as the last link of a page, so the next page is empty.
    const rest = after !== null && from === 0 ? [] : newest.slice(from);
    const offset = after === null && page !== null ? (Number(page) - 1) * size : 0;
    const links = rest.filter((link) => this.#isAlive(link)).slice(offset, offset + size);
    const body = links.reverse().map(({ code, url, hits, expiry, notes }) => {
      return { shortlink: code, longlink: url, hits, expiry_time: expiry ?? 0, notes: notes ?? '' };
    });
    return { status: 200, body };
  }

  #edit(body: string): FakeResponse {
    const edit = parseEdit(body);
    if (!edit) return json(400, false, 'Malformed request!');
    const { shortlink, longlink, reset_hits, expiry_time, notes } = edit;
    if (!this.#isCode(shortlink)) return json(400, false, 'Invalid shortlink!');
    if (!this.#isUrl(longlink)) return json(400, false, 'Invalid longlink!');
    if (!isPrintable(notes)) return json(400, false, 'Invalid notes!');
    const link = this.links.find(({ code }) => code === shortlink);
    if (!link) return json(400, false, 'The shortlink was not found, and could not be edited.');
    link.url = longlink;
    if (reset_hits) link.hits = 0;
    // Nothing can be cleared: empty notes and an expiry of 0 count as not sent.
    if (notes) link.notes = notes;
    if (expiry_time !== null && expiry_time > 0) link.expiry = expiry_time;
    return json(201, true, 'Edit was successful.');
  }

  #delete(code: string, auth: Auth): FakeResponse {
    if (auth === 'none') return { status: 401, body: 'Not logged in!' };
    if (auth === 'wrong') return refused(auth);
    const index = this.stored.findIndex((link) => link.code === code);
    const isFound = this.#isCode(code) && index >= 0;
    if (isFound) this.stored.splice(index, 1);
    if (auth === 'session') return isFound ? text(200, `Deleted ${code}`) : text(404, 'Not found!');
    if (isFound) return json(200, true, `Deleted ${code}`);
    const reason = 'The shortlink was not found, and could not be deleted.';
    return json(404, false, this.#isCode(code) ? reason : 'The shortlink is invalid.');
  }

  #seconds(): number {
    return Math.floor(this.now() / 1000);
  }

  #isAlive({ expiry }: ChhotoLink): boolean {
    return expiry === null || expiry > this.#seconds();
  }

  #isCode(code: string): boolean {
    return (this.allowsCapitals ? /^[A-Za-z0-9_-]*$/ : /^[a-z0-9_-]*$/).test(code);
  }

  #isUrl(url: string): boolean {
    return URL.canParse(url) && this.allowedProtocols.includes(new URL(url).protocol.slice(0, -1));
  }
}

/** Result of the authentication: a correct key, a server without a password, a missing key, or a wrong key. */
type Auth = 'key' | 'session' | 'none' | 'wrong';

const WRONG_KEY = 'API validation failed.';

function isTrusted(auth: Auth): boolean {
  return auth === 'key' || auth === 'session';
}

function refused(auth: Auth): FakeResponse {
  const isWrong = auth === 'wrong';
  const body = { success: false, error: isWrong, reason: isWrong ? WRONG_KEY : 'No valid authentication.' };
  return { status: 401, body };
}

function text(status: number, body: string): FakeResponse {
  return { status, headers: TEXT, body };
}

function json(status: number, success: boolean, reason: string): FakeResponse {
  return { status, body: { success, error: !success, reason } };
}
