import { type FakeAnswer, type FakeLink, type FakeRequest, FakeServer, Refusal } from './fake-server.ts';

/** Maximum size of a request body in bytes, which the web framework sets. */
const MAX_BODY_BYTES = 262_144;

const WRONG_KEY = 'API validation failed.';

/** Body of a create or an edit. In an edit, the expiry is a time in Unix seconds. */
interface Sent {
  shortlink?: string;
  longlink: string;
  notes?: string;
  expiry_delay?: number;
  expiry_time?: number;
  reset_hits?: boolean;
}

/** Responds like chhoto-url 7.5.0 (commit 82eb7a0). Written from its source, because chhoto-url could not be run. */
export class FakeChhoto extends FakeServer {
  /** False if the server has no key and refuses every key. */
  hasKey = true;
  /** True if the server has a password, so that requests without a key are refused. */
  hasPassword = true;
  isPublic = false;
  /** Configured address of the server, from which it builds short URLs. */
  siteUrl: string | null = null;

  protected isCreate({ method, path }: FakeRequest): boolean {
    return method === 'POST' && path === '/api/new';
  }

  protected answer({ method, path, query, headers, body }: FakeRequest): FakeAnswer {
    if (Buffer.byteLength(body) > MAX_BODY_BYTES) return { status: 413, body: 'payload reached size limit' };
    const action = `${method} ${path.replace(/^(\/api\/del)\/.*/, '$1')}`;
    if (action === 'GET /api/version') return { status: 200, body: 'Chhoto URL v7.5.0' };
    const key = headers['x-api-key'];
    const isKeyRight = this.hasKey && key === this.apiKey;
    // Without a password, a request without a key is trusted too, but its answer is plain text.
    const isTrusted = isKeyRight || (key === undefined && !this.hasPassword);
    if (action === 'GET /api/whoami')
      return { status: 200, body: isTrusted ? 'admin' : this.isPublic ? 'public' : 'nobody' };
    if (action === 'GET /api/getconfig' && (isTrusted || this.isPublic)) return this.#config();
    if (!path.startsWith('/api/')) return { status: 404, body: '<h1>Error 404!</h1>' };
    if (!isTrusted && action === 'GET /api/all') return { status: 401, body: WRONG_KEY };
    if (!isTrusted) refuse(401, WRONG_KEY);
    if (key === undefined) return { status: 201, body: 'Plain text' };
    if (action === 'GET /api/all') return this.#list(Number(query.get('page_size')), query.get('page_after'));
    if (action === 'POST /api/new') return this.#create(JSON.parse(body));
    if (action === 'PUT /api/edit') return this.#edit(JSON.parse(body));
    const code = action === 'POST /api/expand' ? body : decodeURIComponent(path.slice('/api/del/'.length));
    const link = this.#alive(code);
    if (action === 'POST /api/expand') {
      if (!link) refuse(400, 'The shortlink does not exist on the server!');
      return { status: 200, body: { success: true, error: false, longurl: link.url, ...toFields(link) } };
    }
    if (action !== 'DELETE /api/del') return { status: 405, body: '' };
    if (!link) refuse(404, 'The shortlink was not found, and could not be deleted.');
    this.remove(link);
    return { status: 200, body: { success: true, error: false, reason: `Deleted ${code}` } };
  }

  #config(): FakeAnswer {
    const { siteUrl: site_url } = this;
    return { status: 200, body: { version: '7.5.0', site_url } };
  }

  #list(size: number, after: string | null): FakeAnswer {
    const newest = this.links.filter((link) => this.#isAlive(link)).reverse();
    const from = newest.findIndex(({ shortCode }) => shortCode === after) + 1;
    // A link that no longer exists cannot be found as the last link of a page, so the next page is empty.
    const links = after !== null && from === 0 ? [] : newest.slice(from, from + size);
    return {
      status: 200,
      body: links.reverse().map((link) => ({ shortlink: link.shortCode, longlink: link.url, ...toFields(link) })),
    };
  }

  #create(sent: Sent): FakeAnswer {
    this.#check(sent);
    const { shortlink, longlink: url, notes, expiry_delay: delay = 0 } = sent;
    const shortCode = shortlink || `calm-${crypto.randomUUID().slice(0, 8)}`;
    const old = this.find(shortCode);
    if (old && this.#isAlive(old)) refuse(400, 'Short URL is already in use!');
    // The new link takes over the row of an expired link.
    if (old) this.remove(old);
    const expiry = delay > 0 ? Math.floor(this.now / 1000) + delay : 0;
    this.add({ shortCode, url, title: notes || null, expiresAt: expiry * 1000 || null });
    const shorturl = `${this.siteUrl ?? 'http://localhost:4567'}/${shortCode}`;
    return { status: 200, body: { success: true, error: false, shorturl, expiry_time: expiry } };
  }

  #edit(sent: Sent): FakeAnswer {
    this.#check(sent);
    const { shortlink = '', longlink: url, notes, expiry_time: time, reset_hits: isReset } = sent;
    const link = this.#alive(shortlink);
    if (!link) refuse(400, 'The shortlink was not found, and could not be edited.');
    // Nothing can be cleared: empty notes and an expiry of 0 count as not sent.
    Object.assign(
      link,
      { url },
      notes && { title: notes },
      time && { expiresAt: time * 1000 },
      isReset && { clicks: 0 },
    );
    return { status: 201, body: { success: true, error: false, reason: 'Edit was successful.' } };
  }

  #check({ shortlink = '', longlink, notes = '' }: Sent): void {
    const code = /^[a-z0-9_-]*$/;
    if (!code.test(shortlink)) refuse(400, 'Invalid shortlink!');
    if (!/^(https?|ftp|magnet):/.test(longlink)) refuse(400, 'Invalid longlink!');
    // Only printable ASCII is accepted.
    if (!/^[ -~]*$/.test(notes)) refuse(400, 'Invalid notes!');
  }

  /** Finds a link that is not expired. */
  #alive(code: string): FakeLink | undefined {
    const link = this.find(code);
    return link && this.#isAlive(link) ? link : undefined;
  }

  #isAlive({ expiresAt }: FakeLink): boolean {
    return expiresAt === null || expiresAt / 1000 > Math.floor(this.now / 1000);
  }
}

function refuse(status: number, reason: string): never {
  throw new Refusal(status, { success: false, error: true, reason });
}

/** An expiry of 0 means that the link never expires. */
function toFields({ clicks, expiresAt, title }: FakeLink): object {
  return { hits: clicks, expiry_time: Math.floor((expiresAt ?? 0) / 1000), notes: title ?? '' };
}
