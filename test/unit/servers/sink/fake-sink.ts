import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type FakeAnswer, type FakeRequest, FakeServer } from '../conformance/fake-server.ts';
import { editSchema, ListQuery, newLinkSchema, parse, type SinkFields, SinkProblem, Slug } from './sink-fields.ts';
import { page, readBody, readCursor, redirect, type SinkLink, says, toJson, writeCursor } from './sink-http.ts';

type Handler = (request: FakeRequest, body: unknown) => FakeAnswer | Promise<FakeAnswer>;

/** Fields that an edit removes if it does not contain them. */
const EDITABLE = ['comment', 'description', 'cloaking', 'unsafe'] as const;

/** Responds like Sink 0.3.0 (commit 445f050) as a local worker. Compared with the real server. */
export class FakeSink extends FakeServer {
  readonly links: SinkLink[] = [];
  /** False if no administrator has migrated the links of an earlier version. */
  isMigrated = true;
  /** True if the keys for Cloudflare's analytics are configured. Otherwise no clicks are known. */
  hasAnalytics = false;
  isCaseSensitive = false;
  /** False for versions before 0.2.9, which return passwords and remove those that an edit does not contain. */
  masksPasswords = true;
  /** Time between the check of a slug and the insertion. The database still keeps slugs unique. */
  insertDelayMs = 0;

  add({ shortCode, url, ...rest }: Parameters<FakeServer['add']>[0]): void {
    const link = this.#insert({ url, slug: shortCode, tags: [] });
    if (link) Object.assign(link, rest);
  }

  protected isCreate({ method, path }: FakeRequest): boolean {
    return method === 'POST' && /^\/api\/link\/(create|upsert)$/.test(path);
  }

  protected async answer(request: FakeRequest): Promise<FakeAnswer> {
    try {
      return await this.#route(request);
    } catch (error) {
      if (!(error instanceof SinkProblem)) throw error;
      return this.#problem(request, error);
    }
  }

  async #route(request: FakeRequest): Promise<FakeAnswer> {
    const path = request.path.replace(/\/$/, '');
    if (!path.startsWith('/api/')) return this.#page(decodeURIComponent(path.slice(1)));
    const key = String(request.headers.authorization ?? '').replace(/^Bearer\s+/, '');
    if (key !== this.apiKey) throw new SinkProblem(401, key && key.length < 8 ? 'Token is too short' : 'Unauthorized');
    if (path.startsWith('/api/link/') && !this.isMigrated) throw new SinkProblem(423, 'Link migration is required');
    const handler = this.#handlers[`${request.method} ${path.slice('/api/'.length)}`];
    // Unknown paths show the dashboard.
    return handler ? await handler(request, readBody(request)) : page();
  }

  get #handlers(): Record<string, Handler | undefined> {
    return {
      'GET verify': ({ headers }) => {
        const userEmail = `root@${String(headers.host).split(':')[0]}`;
        const site = { name: 'Sink', url: 'https://sink.cool', accessEnabled: false };
        return says({ ...site, authMethod: 'site-token', userID: 'root', userEmail });
      },
      'POST link/create': (request, body) => this.#create(request, body),
      'POST link/upsert': (request, body) => this.#upsert(request, body),
      'GET link/query': ({ query }) => {
        const { slug } = parse(z.object({ slug: z.string().trim().min(1).max(2_048) }), Object.fromEntries(query));
        const link = this.#find(slug);
        if (!link) throw new SinkProblem(404, 'Not Found');
        return says(toJson(link, this.masksPasswords));
      },
      'GET link/list': ({ query }) => this.#list(Object.fromEntries(query)),
      'GET link/count': () => says({ count: this.links.filter((link) => this.#isActive(link)).length }),
      'PUT link/edit': (request, body) => this.#edit(request, body),
      'POST link/delete': (_request, body) => {
        const { slug } = parse(z.object({ slug: Slug.min(1) }), body);
        const link = this.#find(slug);
        if (link) this.links.splice(this.links.indexOf(link), 1);
        return { status: 204 };
      },
      'GET stats/counters': ({ query }) => {
        if (!this.hasAnalytics) return says({ data: [] });
        const ids = query.get('id')?.split(',');
        const total = { visits: this.links.reduce((sum, { clicks }) => sum + clicks, 0), visitors: 0, referers: 0 };
        if (!ids) return says({ data: [total] });
        const clicked = this.links.filter(({ id, clicks }) => ids.includes(id) && clicks > 0);
        return says({ data: clicked.map(({ id, clicks }) => ({ id, visits: clicks, visitors: clicks, referers: 1 })) });
      },
    };
  }

  async #create(request: FakeRequest, body: unknown): Promise<FakeAnswer> {
    const fields = parse(newLinkSchema(this.now), body);
    await sleep(this.insertDelayMs);
    const link = this.#insert(fields);
    if (!link) throw new SinkProblem(409, 'Link already exists');
    return says(this.#withShortLink(request, link), 201);
  }

  async #upsert(request: FakeRequest, body: unknown): Promise<FakeAnswer> {
    const fields = parse(newLinkSchema(this.now), body);
    const slug = fields.slug ?? '';
    const existing = this.#findActive(slug);
    if (existing) return says({ ...this.#withShortLink(request, existing), status: 'existing' });
    await sleep(this.insertDelayMs);
    const link = this.#insert(fields);
    if (link) return says({ ...this.#withShortLink(request, link), status: 'created' }, 201);
    const raced = this.#findActive(slug);
    if (!raced) throw new SinkProblem(409, 'Link already exists');
    return says({ ...this.#withShortLink(request, raced), status: 'existing' });
  }

  #list(query: Record<string, string>): FakeAnswer {
    const { limit, cursor, sort, tag, status } = parse(ListQuery, query);
    const kind = { sort, status, ...(tag !== undefined && { tag }) };
    const start = cursor === undefined ? undefined : readCursor(cursor, kind);
    const order = (a: SinkLink, b: SinkLink) =>
      (sort === 'newest' ? b.createdAt - a.createdAt : sort === 'oldest' ? a.createdAt - b.createdAt : 0) ||
      (a.shortCode < b.shortCode ? -1 : 1) * (sort === 'za' ? -1 : 1);
    const sorted = this.links
      .filter((link) => status === 'all' || this.#isActive(link) === (status === 'active'))
      .filter((link) => tag === undefined || link.tags.includes(tag))
      .sort(order);
    const rest = start ? sorted.filter((link) => order({ ...link, ...start }, link) < 0) : sorted;
    const last = rest[limit - 1];
    if (rest.length <= limit || !last)
      return says({ links: rest.map((link) => toJson(link, this.masksPasswords)), list_complete: true });
    const nextCursor = writeCursor(last, kind);
    return says({
      links: rest.slice(0, limit).map((link) => toJson(link, this.masksPasswords)),
      list_complete: false,
      cursor: nextCursor,
    });
  }

  #edit(request: FakeRequest, body: unknown): FakeAnswer {
    const fields = parse(editSchema(this.now), body);
    const link = this.#find(fields.slug);
    if (!link) throw new SinkProblem(404, 'Link not found');
    for (const name of EDITABLE) delete link[name];
    const { slug: _slug, password, title, expiration, ...changes } = fields;
    Object.assign(link, changes, { title: title ?? null, expiresAt: toMilliseconds(expiration) });
    // A password that is not sent is kept. Only an empty one removes it.
    if (password === '' || (password === undefined && !this.masksPasswords)) delete link.password;
    else if (password !== undefined) link.password = password;
    link.updatedAt = Math.max(Math.floor(this.now / 1_000), link.updatedAt + 1);
    return says(this.#withShortLink(request, link), 201);
  }

  /** Returns null if an active link has the slug. An expired link is replaced. */
  #insert({ slug, id, title, expiration, ...fields }: SinkFields): SinkLink | null {
    const shortCode = this.#normalize(slug ?? Math.random().toString(36).slice(2, 8));
    const existing = this.#find(shortCode);
    if (existing && this.#isActive(existing)) return null;
    if (existing) this.links.splice(this.links.indexOf(existing), 1);
    const now = Math.floor(this.now / 1_000);
    const link: SinkLink = {
      createdAt: now,
      updatedAt: now,
      ...fields,
      id: id ?? Math.random().toString(36).slice(2).padEnd(10, '0').slice(0, 10),
      shortCode,
      title: title ?? null,
      expiresAt: toMilliseconds(expiration),
      domain: null,
      clicks: 0,
      isForeign: false,
    };
    this.links.push(link);
    return link;
  }

  #normalize(slug: string): string {
    return this.isCaseSensitive ? slug : slug.toLowerCase();
  }

  #find(slug: string): SinkLink | undefined {
    return this.links.find(({ shortCode }) => shortCode === this.#normalize(slug));
  }

  #findActive(slug: string): SinkLink | undefined {
    const link = this.#find(slug);
    return link && this.#isActive(link) ? link : undefined;
  }

  #isActive({ expiresAt }: SinkLink): boolean {
    return expiresAt === null || expiresAt > this.now;
  }

  /** The short URL begins with the address at which the server was asked. */
  #withShortLink({ headers }: FakeRequest, link: SinkLink) {
    return { link: toJson(link, this.masksPasswords), shortLink: `http://${headers.host}/${link.shortCode}` };
  }

  #page(slug: string): FakeAnswer {
    if (slug === 'dashboard') return redirect(307, '/dashboard/links');
    if (!Slug.safeParse(slug).success) return page();
    const link = this.#findActive(slug);
    if (!link) throw new SinkProblem(404, 'Link not found');
    if (link.password) return page();
    link.clicks += 1;
    return redirect(301, link.url);
  }

  #problem({ path, query }: FakeRequest, { status, statusMessage, details }: SinkProblem): FakeAnswer {
    const url = this.baseUrl + path + (query.size ? `?${query}` : '');
    // Only the refusal of an invalid body has another message.
    const message = statusMessage === 'Bad Request' ? 'Invalid JSON body' : details;
    const data = details && { data: { name: 'ZodError', message: details } };
    return says({ error: true, url, statusCode: status, statusMessage, message, ...data }, status);
  }
}

function toMilliseconds(seconds: number | undefined): number | null {
  return seconds === undefined ? null : seconds * 1_000;
}
