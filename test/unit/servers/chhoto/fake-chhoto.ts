import { type FakeAnswer, type FakeLink, type FakeRequest, FakeServer } from '../conformance/fake-server.ts';
import { type ChhotoCreate, isPrintable, parseCreate, parseEdit } from './chhoto-requests.ts';

/** Result of one link in a create: its code and expiry, or a reason for the refusal. */
type Added = { code: string; expiry: number } | { reason: string };

/** Maximum time until a link expires, in seconds: five years. */
const MAX_DELAY = 157_784_760;

/** Maximum size of a request body in bytes, which the web framework sets. */
const MAX_BODY_BYTES = 262_144;

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const TEXT = { 'content-type': 'text/plain' };
const NOT_ALLOWED: FakeAnswer = {
  status: 405,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: "Request did not meet this resource's requirements.",
};

/**
 * Responds like chhoto-url 7.5.0 (commit 82eb7a0). Written from its source, because chhoto-url could not be run.
 */
export class FakeChhoto extends FakeServer {
  /** False if the server has no key and refuses every key. */
  hasKey = true;
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
  /** All links, including expired links whose codes were not reused yet. */
  readonly links: FakeLink[] = [];

  add(link: Partial<FakeLink> & { shortCode: string; url: string }): void {
    this.links.push({ title: null, domain: null, expiresAt: null, clicks: 0, isForeign: false, ...link });
  }

  protected isCreate({ method, path }: FakeRequest): boolean {
    return method === 'POST' && path === '/api/new';
  }

  protected answer(request: FakeRequest): FakeAnswer {
    if (Buffer.byteLength(request.body) > MAX_BODY_BYTES)
      return { status: 413, headers: TEXT, body: 'payload reached size limit' };
    const path = decodeURIComponent(request.path.replace(/\/+/g, '/'));
    const [, code = ''] = /^\/api\/del\/([^/]+)$/.exec(path) ?? [];
    const handler = this.#handlers[`${request.method} ${code ? '/api/del' : path}`];
    if (handler) return handler(request, this.#authenticate(request), code);
    if (request.method !== 'GET' && request.method !== 'HEAD') return NOT_ALLOWED;
    if (path === '/') return { status: 200, headers: HTML, body: '<h1>Chhoto URL</h1>' };
    const link = request.method === 'GET' && this.#find(path.slice(1));
    if (!link) return { status: 404, headers: HTML, body: '<h1>Error 404!</h1>' };
    link.clicks++;
    return { status: 308, headers: { location: link.url } };
  }

  readonly #handlers: Record<string, (request: FakeRequest, auth: Auth, code: string) => FakeAnswer> = {
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
      const link = this.#find(body);
      if (!link) return json(400, false, 'The shortlink does not exist on the server!');
      return { status: 200, body: { success: true, error: false, longurl: link.url, ...toFields(link) } };
    },
    'PUT /api/edit': ({ body }, auth) => (isTrusted(auth) ? this.#edit(body) : refused(auth)),
    'DELETE /api/del': (_request, auth, code) => this.#delete(code, auth),
  };

  #authenticate({ headers }: FakeRequest): Auth {
    const key = headers['x-api-key'];
    if (key !== undefined) return this.hasKey && key === this.apiKey ? 'key' : 'wrong';
    return this.hasPassword ? 'none' : 'session';
  }

  #config(): FakeAnswer {
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
  #create(body: string, auth: Auth): FakeAnswer {
    if (auth === 'wrong') return refused(auth);
    if (auth === 'none' && !this.isPublic) return text(401, 'Not logged in!');
    const request = parseCreate(body);
    const result = request ? this.#add(request) : { reason: 'Invalid request!' };
    if (auth !== 'key') return 'reason' in result ? text(409, result.reason) : text(201, result.code);
    return { status: 'reason' in result ? 400 : 200, body: this.#toJson(result) };
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
    const old = this.links.find((link) => link.shortCode === code);
    if (old && this.#isAlive(old)) return { reason: 'Short URL is already in use!' };
    const delay = Math.min(Math.max(expiry_delay ?? 0, 0), MAX_DELAY);
    const expiry = delay > 0 ? Math.floor(this.now / 1000) + delay : 0;
    const fields = {
      url: longlink,
      title: notes || null,
      expiresAt: expiry * 1000 || null,
      clicks: 0,
      isForeign: false,
    };
    // The new link takes over the row of an expired link.
    if (old) Object.assign(old, fields);
    else this.add({ shortCode: code, ...fields });
    return { code, expiry };
  }

  #list(query: URLSearchParams): FakeAnswer {
    const after = query.get('page_after');
    const page = query.get('page_no');
    if (after === '') return text(400, 'Invalid page_after was supplied!');
    if (page !== null && Number(page) <= 0) return text(400, 'Invalid page_no was supplied!');
    const asked = Number(query.get('page_size') ?? 0);
    const size = asked > 0 ? asked : after !== null || page !== null ? 10 : Number.POSITIVE_INFINITY;
    const newest = this.links.toReversed();
    const from = after === null ? 0 : newest.findIndex(({ shortCode }) => shortCode === after) + 1;
    // A link that no longer exists cannot be found as the last link of a page, so the next page is empty.
    const rest = after !== null && from === 0 ? [] : newest.slice(from);
    const offset = after === null && page !== null ? (Number(page) - 1) * size : 0;
    const links = rest.filter((link) => this.#isAlive(link)).slice(offset, offset + size);
    const body = links.reverse().map((link) => ({ shortlink: link.shortCode, longlink: link.url, ...toFields(link) }));
    return { status: 200, body };
  }

  #edit(body: string): FakeAnswer {
    const edit = parseEdit(body);
    if (!edit) return json(400, false, 'Malformed request!');
    const { shortlink, longlink, reset_hits, expiry_time, notes } = edit;
    if (!this.#isCode(shortlink)) return json(400, false, 'Invalid shortlink!');
    if (!this.#isUrl(longlink)) return json(400, false, 'Invalid longlink!');
    if (!isPrintable(notes)) return json(400, false, 'Invalid notes!');
    const link = this.#find(shortlink);
    if (!link) return json(400, false, 'The shortlink was not found, and could not be edited.');
    link.url = longlink;
    if (reset_hits) link.clicks = 0;
    // Nothing can be cleared: empty notes and an expiry of 0 count as not sent.
    if (notes) link.title = notes;
    if (expiry_time !== null && expiry_time > 0) link.expiresAt = expiry_time * 1000;
    return json(201, true, 'Edit was successful.');
  }

  #delete(code: string, auth: Auth): FakeAnswer {
    if (auth === 'none') return { status: 401, body: 'Not logged in!' };
    if (auth === 'wrong') return refused(auth);
    const index = this.links.findIndex((link) => link.shortCode === code);
    const isFound = this.#isCode(code) && index >= 0;
    if (isFound) this.links.splice(index, 1);
    if (auth === 'session') return isFound ? text(200, `Deleted ${code}`) : text(404, 'Not found!');
    if (isFound) return json(200, true, `Deleted ${code}`);
    const reason = 'The shortlink was not found, and could not be deleted.';
    return json(404, false, this.#isCode(code) ? reason : 'The shortlink is invalid.');
  }

  /** Finds a link that is not expired. */
  #find(code: string): FakeLink | undefined {
    return this.links.find((link) => link.shortCode === code && this.#isAlive(link));
  }

  #isAlive({ expiresAt }: FakeLink): boolean {
    return expiresAt === null || expiresAt / 1000 > Math.floor(this.now / 1000);
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

function refused(auth: Auth): FakeAnswer {
  const isWrong = auth === 'wrong';
  const body = { success: false, error: isWrong, reason: isWrong ? WRONG_KEY : 'No valid authentication.' };
  return { status: 401, body };
}

function text(status: number, body: string): FakeAnswer {
  return { status, headers: TEXT, body };
}

function json(status: number, success: boolean, reason: string): FakeAnswer {
  return { status, body: { success, error: !success, reason } };
}

/** An expiry of 0 means that the link never expires. */
function toFields({ clicks, expiresAt, title }: FakeLink): object {
  return { hits: clicks, expiry_time: Math.floor((expiresAt ?? 0) / 1000), notes: title ?? '' };
}
