import {
  type FakeAnswer,
  type FakeLink,
  type FakeRequest,
  FakeServer,
  type NewFakeLink,
  PAGE,
  Refusal,
} from './fake-server.ts';

const MAX_BODY_BYTES = 102_400;

/** Responds like Kutt 3.2.3 (commit fc832d7) with SQLite. Compared with the real server. */
export class FakeKutt extends FakeServer {
  /** Domains that the user owns, in addition to the default domain. */
  domains: string[] = [];
  /** With MySQL and MariaDB, every search fails, titles are limited, and times have another format. */
  database: 'sqlite' | 'mysql' = 'sqlite';
  /** True if reading the list fails with a server error. */
  isListBroken = false;
  isBanned = false;
  isVerified = true;
  /** Waits between the check of a code and the insertion. Two creates in this time get the same code. */
  beforeInsert = async (): Promise<void> => {};

  get defaultDomain(): string {
    return new URL(this.baseUrl).host;
  }

  override add(link: NewFakeLink): FakeLink {
    return super.add({ domain: this.domains[0] ?? null, ...link });
  }

  protected isCreate({ method, path }: FakeRequest): boolean {
    return method === 'POST' && path === '/api/v2/links';
  }

  protected async answer(request: FakeRequest): Promise<FakeAnswer> {
    const { method, path, headers, body } = request;
    if (path === '/api/v2/health') return { status: 200, body: 'OK' };
    const [, resource, id = ''] = /^\/api\/v2\/(users|links)(?:\/([^/]+))?$/.exec(path) ?? [];
    // Unknown paths show a page, as do all paths if the request prefers pages.
    if (!resource || headers.accept !== 'application/json') return PAGE;
    if (Buffer.byteLength(body) > MAX_BODY_BYTES) refuse('An error occurred.', 413);
    if (headers['x-api-key'] !== this.apiKey) refuse('Unauthorized.', 401);
    if (this.isBanned) refuse("You're banned from using this website.", 403);
    if (!this.isVerified) refuse('Your email address is not verified. Sign up to get the link again.', 400);
    if (resource === 'users') {
      const domains = this.domains.map((address) => ({ address, banned: false }));
      return { status: 200, body: { apikey: this.apiKey, email: 'a@example.org', domains } };
    }
    if (method === 'GET') return this.#list(request.query);
    if (method === 'POST') return this.#create(JSON.parse(body));
    const link = this.links.find((one) => one.id === id && !one.isForeign);
    if (method === 'PATCH') return this.#edit(link, JSON.parse(body));
    if (!link) refuse('Could not find the link.');
    this.remove(link);
    return { status: 200, body: { message: 'Link has been deleted successfully.' } };
  }

  #list(query: URLSearchParams): FakeAnswer {
    const limit = Math.min(Number(query.get('limit')) || 10, 50);
    const skip = Number(query.get('skip')) || 0;
    const term = query.get('search') ?? '';
    if (this.isListBroken || (term && this.database === 'mysql')) refuse('An error occurred.');
    // `_` in a search is a wildcard.
    const search = new RegExp(term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('_', '.'), 'is');
    const found = this.links
      .filter(({ isForeign, title, shortCode, url }) => !isForeign && search.test([title, shortCode, url].join(' ')))
      .reverse();
    const data = found.slice(skip, skip + limit).map((link) => this.#toJson(link));
    return { status: 200, body: { total: found.length, limit, skip, data } };
  }

  async #create({ customurl: code, domain: sent, ...fields }: Record<string, string>): Promise<FakeAnswer> {
    const link = this.#readFields(fields);
    if (code === 'login') refuse("You can't use this custom URL.", 400);
    if (code !== undefined && !/^[\w-]{1,64}$/.test(code)) refuse('Custom URL is not valid.', 400);
    const domain = sent === undefined || sent === this.defaultDomain ? null : sent;
    if (domain !== null && !this.domains.includes(domain)) refuse("You can't use this domain.", 400);
    if (this.links.some((one) => one.shortCode === code && one.domain === domain))
      refuse('Custom URL is already in use.');
    // No index keeps codes unique, so two creates can reach this line at the same time.
    await this.beforeInsert();
    const shortCode = code ?? Math.random().toString(36).slice(2, 8);
    return { status: 201, body: this.#toJson(this.add({ url: '', ...link, shortCode, domain })) };
  }

  #edit(link: FakeLink | undefined, { password, ...sent }: Record<string, string>): FakeAnswer {
    const fields = this.#readFields(sent);
    if (!link) refuse('Link was not found.');
    // A password that is not sent is removed. Bullets, as the server's own form sends them, keep it.
    const isPasswordKept = link.password === null || /^•+$/.test(password ?? '');
    const isChanged = Object.entries(fields).some(([name, value]) => link[name as keyof FakeLink] !== value);
    if (isPasswordKept && !isChanged) refuse('Should at least update one field.');
    Object.assign(link, fields, !isPasswordKept && { password: null });
    return { status: 200, body: this.#toJson(link) };
  }

  /** Reads the fields that a new link and an edit have in common. */
  #readFields({ target, description, expire_in: duration }: Record<string, string>): Partial<FakeLink> {
    if (target !== undefined) this.#checkTarget(target);
    // SQLite does not limit the length of the column.
    if (this.database === 'mysql' && (description?.length ?? 0) > 255) refuse('An error occurred.');
    if (duration !== undefined && !/^\d+$/.test(duration)) refuse('Expire format is invalid.', 400);
    if (Number(duration) < 60_000) refuse('Expire time should be more than 1 minute.', 400);
    return {
      ...(target !== undefined && { url: target }),
      ...(description !== undefined && { title: description }),
      ...(duration !== undefined && { expiresAt: this.now + Number(duration) }),
    };
  }

  #checkTarget(target: string): void {
    if (target.length > 2_040) refuse('Maximum URL length is 2040.', 400);
    if (!/^https?:/.test(target)) refuse(`${this.defaultDomain} URLs are not allowed.`, 400);
    if (!new URL(target).hostname.includes('.')) refuse('URL is not valid.', 400);
  }

  #toJson({ id, shortCode, url, domain, title, expiresAt, password, createdAt, clicks }: FakeLink): object {
    const iso = (time: number) => `${new Date(time).toISOString().slice(0, 19)}.000Z`;
    // SQLite returns UTC without a time zone.
    const sql = (time: number) => iso(time).slice(0, 19).replace('T', ' ');
    return {
      id,
      address: shortCode,
      link: `http://${domain ?? this.defaultDomain}/${shortCode}`,
      target: url,
      description: title,
      created_at: iso(createdAt),
      expire_in: expiresAt && (this.database === 'sqlite' ? sql(expiresAt) : iso(expiresAt)),
      password: password !== null,
      visit_count: clicks,
      domain,
    };
  }
}

/** Kutt sends many refusals with status 500. */
function refuse(error: string, status = 500): never {
  throw new Refusal(status, { error });
}
