import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type FakeAnswer, type FakeLink, type FakeRequest, FakeServer, PAGE, Refusal } from './fake-server.ts';

const Slug = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/i);

/** Fields of a new link or an edit. Unknown fields are kept in the fake, as Sink does with its other properties. */
const Fields = z.looseObject({
  url: z.url().max(2_048),
  slug: Slug.optional(),
  title: z.string().max(256).optional(),
  expiration: z.int().optional(),
  password: z.string().optional(),
  tags: z.array(z.string()).default([]),
});
type Fields = z.infer<typeof Fields>;

/** Responds like Sink 0.3.0 (commit 445f050) as a local worker. Compared with the real server. */
export class FakeSink extends FakeServer {
  /** False if no administrator has migrated the links of an earlier version. */
  isMigrated = true;
  /** False for versions before 0.2.9, which return passwords and remove those that an edit does not contain. */
  masksPasswords = true;
  /** Time between the check of a slug and the insertion. The database still keeps slugs unique. */
  insertDelayMs = 0;

  protected isCreate({ path }: FakeRequest): boolean {
    return path === '/api/link/upsert';
  }

  protected answer({ method, path, query, headers, body }: FakeRequest): FakeAnswer | Promise<FakeAnswer> {
    if (!path.startsWith('/api/')) return PAGE;
    if (headers.authorization !== `Bearer ${this.apiKey}`) refuse(401, 'Unauthorized');
    if (path.startsWith('/api/link/') && !this.isMigrated) refuse(423, 'Link migration is required');
    switch (`${method} ${path.slice('/api/'.length)}`) {
      case 'GET verify':
        return { status: 200, body: { name: 'Sink', url: 'https://sink.cool', userID: 'root' } };
      case 'POST link/upsert':
        return this.#upsert(this.#parse(body));
      case 'GET link/query':
        return { status: 200, body: this.#toJson(this.#existing(query.get('slug') ?? '')) };
      case 'GET link/list':
        return this.#list(query);
      case 'PUT link/edit':
        return this.#edit(this.#parse(body));
      case 'POST link/delete': {
        const link = this.find(String(JSON.parse(body).slug).toLowerCase());
        if (link) this.remove(link);
        return { status: 204 };
      }
      default:
        // Unknown paths show the dashboard.
        return PAGE;
    }
  }

  async #upsert({
    slug = Math.random().toString(36).slice(2, 8),
    id,
    url,
    title,
    expiration,
  }: Fields): Promise<FakeAnswer> {
    const shortCode = slug.toLowerCase();
    const saved = (status: number) => ({ status, body: this.#saved(this.#existing(shortCode)) });
    if (this.find(shortCode)) return saved(200);
    await sleep(this.insertDelayMs);
    if (this.find(shortCode)) return saved(200);
    this.add({ shortCode, url, title: title ?? null, expiresAt: toMilliseconds(expiration), id: String(id) });
    return saved(201);
  }

  /** An edit removes all fields that it does not contain. */
  #edit({ slug = '', url, title, expiration, password, tags, ...others }: Fields): FakeAnswer {
    const link = this.#existing(slug);
    const kept = this.masksPasswords ? link.password : null;
    const expiresAt = toMilliseconds(expiration);
    Object.assign(link, { url, title: title ?? null, expiresAt, tags, others, password: password ?? kept });
    return { status: 201, body: this.#saved(link) };
  }

  #list(query: URLSearchParams): FakeAnswer {
    if (query.get('status') !== 'all') throw new Error('Expired links are hidden.');
    const limit = Number(query.get('limit'));
    const keyOf = ({ createdAt, shortCode }: FakeLink) => `${1e15 - createdAt} ${shortCode}`;
    const rest = this.links
      .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      .filter((link) => keyOf(link) > (query.get('cursor') ?? ''));
    const links = rest.slice(0, limit);
    const last = links.at(-1);
    const hasMore = rest.length > limit && last;
    const body = { links: links.map((link) => this.#toJson(link)), list_complete: !hasMore };
    return { status: 200, body: hasMore ? { ...body, cursor: keyOf(last) } : body };
  }

  #parse(body: string): Fields {
    const { data, error } = Fields.safeParse(JSON.parse(body));
    if (!data) refuse(400, 'Validation Error', JSON.stringify(error.issues));
    return data;
  }

  #existing(slug: string): FakeLink {
    return this.find(slug.toLowerCase()) ?? refuse(404, 'Not Found');
  }

  /** The short URL begins with the address at which the server was asked. */
  #saved(link: FakeLink): object {
    return { link: this.#toJson(link), shortLink: `${this.baseUrl}/${link.shortCode}` };
  }

  #toJson({ id, shortCode: slug, url, title, createdAt, expiresAt, password, tags, others }: FakeLink): object {
    return {
      ...{ ...others, id, slug, url, tags, createdAt: Math.floor(createdAt / 1_000) },
      ...(title !== null && { title }),
      ...(expiresAt !== null && { expiration: expiresAt / 1_000 }),
      ...(password && { password: this.masksPasswords ? '__SINK_MASKED__•••' : password }),
    };
  }
}

function toMilliseconds(seconds: number | undefined): number | null {
  return seconds === undefined ? null : seconds * 1_000;
}

function refuse(statusCode: number, statusMessage: string, message = ''): never {
  throw new Refusal(statusCode, { error: true, url: '/', statusCode, statusMessage, message });
}
