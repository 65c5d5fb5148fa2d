import { type FakeAnswer, type FakeRequest, FakeServer } from '../conformance/fake-server.ts';
import { checkId, KuttProblem, likePattern, readFields } from './kutt-fields.ts';
import {
  HTML_TYPE,
  JSON_TYPE,
  noSuchRoute,
  page,
  prefersHtml,
  readBody,
  redirect,
  says,
  UNREADABLE,
} from './kutt-http.ts';
import { type KuttLink, toJson, toSeconds } from './kutt-links.ts';

/**
 * Responds like Kutt 3.2.3 (commit fc832d7) with SQLite. Compared with the real server.
 */
export class FakeKutt extends FakeServer {
  /** Key of another user. */
  readonly otherKey = 'key-of-another-user';
  readonly links: KuttLink[] = [];
  /** Domains that the user owns, in addition to the default domain. */
  domains: string[] = [];
  /** Kutt returns `https` in production, even if it is served over HTTP. */
  linkScheme: 'http' | 'https' = 'http';
  /** With MySQL and MariaDB, every search fails, and times have another format. */
  database: 'sqlite' | 'mysql' = 'sqlite';
  /** True if reading the list fails with a server error. */
  isListBroken = false;
  isBanned = false;
  isVerified = true;
  /** Waits between the check of a code and the insertion. Two creates in this time get the same code. */
  beforeInsert = async (): Promise<void> => {};

  add({ shortCode, url, domain = this.domains[0] ?? null, ...rest }: Parameters<FakeServer['add']>[0]): void {
    const link = this.#insert(this.apiKey, { target: url, address: shortCode }, domain);
    Object.assign(link, rest);
  }

  get defaultDomain(): string {
    return new URL(this.baseUrl).host;
  }

  protected isCreate({ method, path }: FakeRequest): boolean {
    return method === 'POST' && /^\/api(\/v2)?\/links\/?$/.test(path);
  }

  protected async answer(request: FakeRequest): Promise<FakeAnswer> {
    this.#expireLinks();
    let cors = this.isCreate(request) ? { 'access-control-allow-origin': '*' } : {};
    try {
      const body = readBody(request);
      // Only a body that could be parsed reaches the code that sets the header.
      const response = await this.#route(request, body);
      return { ...response, headers: { ...cors, ...response.headers } };
    } catch (error) {
      if (!(error instanceof KuttProblem)) throw error;
      if (error.message === UNREADABLE) cors = {};
      if (prefersHtml(request)) return page(cors);
      return { status: error.status, headers: { ...JSON_TYPE, ...cors }, body: { error: error.message } };
    }
  }

  async #route(request: FakeRequest, body: Record<string, unknown>): Promise<FakeAnswer> {
    const { method, path } = request;
    const [, resource = '', id, part] = /^\/api(?:\/v2)?\/(\w+)(?:\/([^/]+))?(?:\/(\w+))?\/?$/.exec(path) ?? [];
    if (method === 'OPTIONS') return { status: 200, headers: HTML_TYPE, body: 'GET,HEAD,POST' };
    if (method === 'GET' && resource === 'health' && !id) return { status: 200, headers: HTML_TYPE, body: 'OK' };
    const action = `${method} ${resource}${id ? '/id' : ''}${part ? `/${part}` : ''}`;
    const handler = this.#handlers[action];
    if (!handler) return method === 'GET' ? this.#page(request) : noSuchRoute(request);
    const user = this.#authenticate(request);
    if (user === null) return { status: 200, headers: HTML_TYPE, body: 'NOT_AUTHENTICATED' };
    return handler({ request, body, user, id: id ?? '' });
  }

  readonly #handlers: Record<string, (call: Call) => FakeAnswer | Promise<FakeAnswer>> = {
    'GET users': ({ user }) => {
      const time = toSeconds(this.now);
      const shown = { banned: false, homepage: this.defaultDomain, created_at: time, updated_at: time };
      const own = user === this.apiKey ? this.domains : [];
      const domains = own.map((address) => ({ id: crypto.randomUUID(), address, ...shown }));
      return says({ apikey: user, email: 'a@example.org', domains });
    },
    'GET links': (call) => this.#list(call),
    'POST links': (call) => this.#create(call),
    'PATCH links/id': (call) => this.#edit(call),
    'DELETE links/id': ({ user, id }) => {
      checkId(id);
      const link = this.#own(user, id);
      if (!link) throw new KuttProblem('Could not find the link.');
      this.links.splice(this.links.indexOf(link), 1);
      return says({ message: 'Link has been deleted successfully.' });
    },
  };

  /** Returns the API key of the user, or null if a page should be redirected to the login form. */
  #authenticate(request: FakeRequest): string | null {
    const key = request.headers['x-api-key'];
    const known = [this.apiKey, this.otherKey].find((one) => one === key);
    // Without a valid key, the login of the server's own pages counts.
    const user = known ?? (request.headers.cookie?.includes('token=') ? this.otherKey : undefined);
    if (!user && prefersHtml(request)) return null;
    if (!user) throw new KuttProblem('Unauthorized.', 401);
    if (this.isBanned) throw new KuttProblem("You're banned from using this website.", 403);
    if (!this.isVerified)
      throw new KuttProblem('Your email address is not verified. Sign up to get the verification link again.', 400);
    return user;
  }

  #list({ request, user }: Call): FakeAnswer {
    for (const name of ['limit', 'skip', 'search'])
      if (request.query.getAll(name).length > 1) throw new KuttProblem(`${name} query is not valid.`, 400);
    const limit = Math.min(Number.parseInt(request.query.get('limit') ?? '', 10) || 10, 50);
    const skip = Number.parseInt(request.query.get('skip') ?? '', 10) || 0;
    const term = request.query.get('search') ?? '';
    if (this.isListBroken || (term && this.database === 'mysql')) throw new KuttProblem(UNREADABLE);
    const search = likePattern(term);
    const matches = ({ title, shortCode, url, domain }: KuttLink) =>
      search.test([title, shortCode, url, domain].filter((value) => value !== null).join(' '));
    const found = this.links.filter((link) => this.#isOwn(link, user) && matches(link)).reverse();
    const data = found.slice(skip, skip + limit).map((link) => toJson(link, this));
    return says({ total: found.length, limit, skip, data });
  }

  async #create({ body, user }: Call): Promise<FakeAnswer> {
    if (!body.target) throw new KuttProblem('Target is missing.', 400);
    const { target = '', ...fields } = readFields(body, 'customurl', this.#context);
    const domain = this.#domainOf(body.domain);
    const existing = this.links.find((one) => this.#isOwn(one, user) && one.url === target && one.domain === domain);
    if (body.reuse && existing) return says(toJson(existing, this));
    if (this.links.some((one) => one.shortCode === fields.address && one.domain === domain))
      throw new KuttProblem('Custom URL is already in use.');
    // No index keeps codes unique, so two creates can reach this line at the same time.
    await this.beforeInsert();
    const link = this.#insert(user, { target, ...fields }, domain);
    const { domain: shownDomain, ...json } = toJson(link, this);
    return says({ ...json, ...(shownDomain !== null && { domain: shownDomain }) }, 201);
  }

  #edit({ body, user, id }: Call): FakeAnswer {
    const fields = readFields(body, 'address', this.#context);
    checkId(id);
    const link = this.#own(user, id);
    if (!link) throw new KuttProblem('Link was not found.');
    // A password that is not sent is removed. Bullets, as the server's own form sends them, keep it.
    const keepsPassword = fields.password === undefined ? link.password === null : /^•+$/.test(fields.password);
    const isSameExpiry =
      fields.expiresAt === undefined ||
      (link.expiresAt !== null && Math.abs(fields.expiresAt - link.expiresAt) < 60_000);
    const isChanged =
      !keepsPassword ||
      !isSameExpiry ||
      (fields.target ?? link.url) !== link.url ||
      (fields.address ?? link.shortCode) !== link.shortCode ||
      (fields.description ?? link.title) !== link.title;
    if (!isChanged) throw new KuttProblem('Should at least update one field.');
    const { address = link.shortCode } = fields;
    if (address !== link.shortCode && this.links.some((one) => one.shortCode === address && one.domain === link.domain))
      throw new KuttProblem('Custom URL is already in use.');
    link.shortCode = address;
    link.url = fields.target ?? link.url;
    link.title = fields.description ?? link.title;
    link.expiresAt = fields.expiresAt ?? link.expiresAt;
    if (!keepsPassword) link.password = fields.password ?? null;
    link.updatedAt = this.now;
    return says(toJson(link, this));
  }

  #insert(owner: string, fields: ReturnType<typeof readFields>, domain: string | null): KuttLink {
    const now = this.now;
    const link: KuttLink = {
      id: crypto.randomUUID(),
      shortCode: fields.address ?? Math.random().toString(36).slice(2, 8),
      url: fields.target ?? '',
      domain,
      title: fields.description ?? null,
      expiresAt: fields.expiresAt ?? null,
      password: fields.password ?? null,
      createdAt: now,
      updatedAt: now,
      clicks: 0,
      isForeign: owner === this.otherKey,
    };
    this.links.push(link);
    return link;
  }

  #isOwn({ isForeign }: KuttLink, user: string): boolean {
    return isForeign === (user === this.otherKey);
  }

  #own(owner: string, id: string): KuttLink | undefined {
    return this.links.find((link) => link.id === id && this.#isOwn(link, owner));
  }

  #domainOf(sent: unknown): string | null {
    if (!sent || sent === this.defaultDomain) return null;
    const domain = this.domains.find((one) => one === String(sent).toLowerCase());
    if (domain === undefined) throw new KuttProblem("You can't use this domain.", 400);
    return domain;
  }

  get #context() {
    return { defaultDomain: this.defaultDomain, now: this.now };
  }

  #expireLinks(): void {
    const isExpired = ({ expiresAt }: KuttLink) => expiresAt !== null && expiresAt <= this.now;
    for (const link of this.links.filter(isExpired)) this.links.splice(this.links.indexOf(link), 1);
  }

  /** Pages of the site and redirects of short URLs. */
  #page(request: FakeRequest): FakeAnswer {
    const code = decodeURIComponent(request.path.slice(1));
    if (code === '') return redirect(request, '/login');
    if (code === 'login') return page({}, `<meta property="og:url" content="https://${this.defaultDomain}" />`);
    if (code.includes('/') || ['404', 'api'].includes(code)) return page();
    const domain = request.headers.host === this.defaultDomain ? null : (request.headers.host ?? null);
    const link = this.links.find((one) => one.shortCode === code.replace('+', '') && one.domain === domain);
    if (!link) return redirect(request, '/404');
    if (link.password !== null) return page();
    if (code.endsWith('+')) return prefersHtml(request) ? page() : says({ target: link.url });
    if (request.headers['user-agent']?.startsWith('Mozilla/')) link.clicks += 1;
    return redirect(request, link.url);
  }
}

interface Call {
  request: FakeRequest;
  body: Record<string, unknown>;
  /** API key of the user. */
  user: string;
  id: string;
}
