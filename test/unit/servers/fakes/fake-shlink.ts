import {
  type FakeAnswer,
  type FakeLink,
  type FakeRequest,
  FakeServer,
  type NewFakeLink,
  Refusal,
} from './fake-server.ts';

/** API key with the roles that restrict it. */
interface ShlinkKey {
  key: string;
  /** True if the key sees only links that were created with it. */
  isAuthorOnly?: boolean;
  /** The only domain that the key can use. */
  domain?: string;
}

/** Maximum length of a title in bytes, not characters. */
const MAX_TITLE_BYTES = 512;

const EDIT_FIELDS = ['longUrl', 'validUntil', 'title', 'tags'];
const CREATE_FIELDS = [...EDIT_FIELDS, 'customSlug', 'domain'];

/**
 * Responds like Shlink 5.1.5 (commit 59c62a2c) with the REST API 3. Written from its source, because Shlink could not
 * be run.
 */
export class FakeShlink extends FakeServer {
  /** Keys that the server accepts. The first one has all permissions. */
  readonly keys: ShlinkKey[] = [{ key: this.apiKey }];
  /** Domain of links that users add on the server's own page. Null for the default domain. */
  domainOfAdded: string | null = null;
  defaultDomain = 's.test';
  /** Path in front of all paths of the server, for example `/shlink`. */
  basePath = '';
  isDatabaseDown = false;
  /** True if short codes are lower-cased. */
  isLoose = false;
  /** Number of visits from which a link can no longer be deleted. Null if there is no such limit. */
  deleteThreshold: number | null = null;
  /** Paths of all requests that the server recorded as visits of unknown pages. */
  readonly orphanVisits: string[] = [];
  /** Long URLs of all pages that the server opened to read a title. */
  readonly titleLookUps: string[] = [];

  override add(link: NewFakeLink): FakeLink {
    return super.add({ domain: this.domainOfAdded, ...(link.isForeign && { author: 'other' }), ...link });
  }

  protected isCreate({ method, path }: FakeRequest): boolean {
    return method === 'POST' && path.endsWith('/short-urls');
  }

  protected answer({ method, path, query, headers, body }: FakeRequest): FakeAnswer {
    const local = decodeURIComponent(path).slice(this.basePath.length);
    if (local === '/rest/health') return this.#health();
    const [, resource, code] = /^\/rest\/v3\/(domains|short-urls)(?:\/([^/]+))?$/.exec(local) ?? [];
    if (!resource) {
      this.orphanVisits.push(path);
      return { status: 404, body: '<!DOCTYPE html><h1>404</h1>' };
    }
    const key = this.keys.find((one) => one.key === headers['x-api-key']);
    if (!key) refuse(401, 'invalid-api-key', 'Provided API key does not exist or is invalid.');
    const visible = this.links.filter(
      ({ author, domain }) => (!key.isAuthorOnly || author === key.key) && (!key.domain || domain === key.domain),
    );
    if (resource === 'domains') return this.#domains(visible, key);
    if (code === undefined && method === 'GET') return this.#list(visible, query);
    if (code === undefined) return this.#says(this.#create(JSON.parse(body), key));
    const asked = query.get('domain');
    const domain = asked === this.defaultDomain ? null : asked;
    const link = visible.find((one) => one.shortCode === code && one.domain === domain);
    if (!link) refuse(404, 'short-url-not-found', `No URL found with short code "${code}"`);
    if (method === 'PATCH') return this.#says(this.#edit(link, JSON.parse(body)));
    if (method !== 'DELETE') return this.#says(link);
    const isVisited = this.deleteThreshold !== null && link.clicks >= this.deleteThreshold;
    if (isVisited)
      refuse(
        422,
        'invalid-short-url-deletion',
        `Impossible to delete, since it has more than "${link.clicks}" visits.`,
      );
    this.remove(link);
    return { status: 204 };
  }

  #health(): FakeAnswer {
    const body = { status: 'pass', version: '5.1.5', links: { about: 'https://shlink.io' } };
    return { status: this.isDatabaseDown ? 503 : 200, body };
  }

  #domains(visible: FakeLink[], key: ShlinkKey): FakeAnswer {
    const used = visible.flatMap(({ domain }) => domain ?? []);
    const names = [...(key.domain ? [] : [this.defaultDomain]), ...new Set(used)];
    return { status: 200, body: { domains: { data: names.map((domain) => ({ domain })) } } };
  }

  #list(visible: FakeLink[], query: URLSearchParams): FakeAnswer {
    const currentPage = Number(query.get('page') ?? 1);
    const size = Number(query.get('itemsPerPage'));
    const pagesCount = Math.max(Math.ceil(visible.length / size), 1);
    // Shlink does not handle this error.
    if (currentPage > pagesCount) refuse(500, 'internal-server-error', 'An unknown error occurred.');
    const newest = visible.toReversed().slice((currentPage - 1) * size, currentPage * size);
    const pagination = { currentPage, pagesCount, totalItems: visible.length };
    return { status: 200, body: { shortUrls: { data: newest.map((link) => this.#toJson(link)), pagination } } };
  }

  #create(sent: Record<string, unknown>, key: ShlinkKey): FakeLink {
    const fields = this.#readFields(sent, CREATE_FIELDS);
    if (!('title' in fields)) this.titleLookUps.push(String(fields.url));
    const { customSlug: slug = crypto.randomUUID().slice(0, 5), domain: asked } = sent as Record<string, string>;
    if (/[:?#[\]@]/.test(slug)) invalid();
    const shortCode = this.isLoose ? slug.toLowerCase() : slug;
    const domain = key.domain ?? (asked === undefined || asked === this.defaultDomain ? null : asked);
    if (this.links.some((link) => link.shortCode === shortCode && link.domain === domain)) {
      const extra = { customSlug: shortCode, ...(domain && { domain }) };
      refuse(400, 'non-unique-slug', `Provided slug "${shortCode}" is already in use.`, extra);
    }
    return this.add({ url: '', ...fields, shortCode, domain, author: key.key });
  }

  #edit(link: FakeLink, sent: Record<string, unknown>): FakeLink {
    const fields = this.#readFields(sent, EDIT_FIELDS);
    // Shlink opens the page if the URL is edited without a title.
    if ('url' in fields && !('title' in fields)) this.titleLookUps.push(String(fields.url));
    return Object.assign(link, fields);
  }

  /** Reads fields as Shlink does: it refuses unknown ones, and removes HTML tags from texts. */
  #readFields(sent: Record<string, unknown>, known: string[]): Partial<FakeLink> {
    if (Object.keys(sent).some((name) => !known.includes(name))) invalid();
    const { longUrl, title, validUntil, tags } = sent as {
      longUrl?: string;
      title?: string | null;
      validUntil?: string | null;
      tags?: string[];
    };
    if (longUrl !== undefined && !/.+:.+/.test(longUrl)) invalid('longUrl');
    return {
      ...(longUrl !== undefined && { url: longUrl }),
      ...(title !== undefined && { title: title && cut(withoutTags(title)) }),
      ...(validUntil !== undefined && { expiresAt: validUntil && Date.parse(validUntil) }),
      ...(tags && { tags: tags.map((tag) => withoutTags(tag).toLowerCase().replace(/\s+/g, '-')) }),
    } as Partial<FakeLink>;
  }

  #says(link: FakeLink): FakeAnswer {
    return { status: 200, body: this.#toJson(link) };
  }

  #toJson({ shortCode, domain, title, tags, ...link }: FakeLink): object {
    // PHP cannot encode a character that was cut in the middle.
    if (title?.includes('\uFFFD')) throw new Error('Malformed UTF-8 characters');
    const atom = (time: number | null) => time && new Date(time).toISOString().replace(/\.\d+Z$/, '+00:00');
    const { createdAt, validSince, expiresAt, maxVisits, clicks, bots } = link;
    return {
      shortUrl: `http://${domain ?? this.defaultDomain}${this.basePath}/${shortCode}`,
      ...{ shortCode, longUrl: link.url, domain, title, tags },
      dateCreated: atom(createdAt),
      meta: { validSince: atom(validSince), validUntil: atom(expiresAt), maxVisits },
      visitsSummary: { total: clicks + bots, nonBots: clicks, bots },
    };
  }
}

function withoutTags(text: string): string {
  return text.replace(/<(?!\s)[^>]*(>|$)/g, '').trim();
}

/** A character at the limit is cut in the middle, as `substr` of PHP does. */
function cut(title: string): string {
  return Buffer.from(title).subarray(0, MAX_TITLE_BYTES).toString();
}

function invalid(...invalidElements: string[]): never {
  return refuse(400, 'invalid-data', 'Provided data is not valid', { invalidElements });
}

function refuse(status: number, type: string, detail: string, extra: object = {}): never {
  throw new Refusal(status, { ...extra, type: `https://shlink.io/api/error/${type}`, status, detail });
}
