import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import {
  type CallContext,
  type LinkReference,
  type ListedLink,
  type NewLink,
  OperationFailed,
  type RequestResult,
  type ServiceAdapter,
  type ServiceInfo,
} from './adapter.ts';
import {
  baseOf,
  createdIfAsked,
  createsOne,
  fail,
  failFor,
  type OwnError,
  readRecords,
  recognized,
  toListed,
  unrecognized,
} from './answers.ts';
import { type HttpAnswer, type HttpCall, jsonCall, lazy, parseOk } from './http.ts';

/**
 * Maximum length of a title. Kutt itself accepts longer titles, but its database column in PostgreSQL and MySQL does
 * not.
 */
const MAX_TITLE_LENGTH = 255;

/** Number of links on a page. If a request asks for more than 50, Kutt returns 50 without an error. */
const PAGE_SIZE = 50;

/**
 * Maximum number of pages that are searched for a code. More than one page is needed if many links contain the code,
 * or if the server's search fails.
 */
const MAX_SEARCH_PAGES = 40;

/** Text that Kutt's own form sends to keep a password. An edit that does not send a password removes the stored one. */
const KEEP_PASSWORD = '••••••••';

/**
 * Patterns for Kutt's error messages, because Kutt has no error codes. Kutt sends several of these messages with status
 * 500.
 */
const PROBLEMS: [RegExp, OwnError['code']][] = [
  [/^Custom URL is already in use/, 'short_code_taken'],
  [/^(Custom URL|You can't use this custom URL)/, 'invalid_short_code'],
  [/^(URL is not valid|Target is missing)/, 'invalid_url'],
  [/URLs are not allowed\.$|^Domain is banned|malware/, 'target_refused'],
  [/^Your email address is not verified/, 'forbidden'],
  [/^(Link was not found|Could not find the link)/, 'gone'],
];

const schemas = lazy(() => ({
  User: z.object({ email: z.string(), domains: z.array(z.object({ address: z.string() })) }),
  Link: z.object({
    id: z.string().check(z.minLength(1), z.maxLength(64)),
    address: z.string(),
    link: ShortUrl,
    target: z.string(),
    description: z.optional(z.nullable(z.string())),
    created_at: z.string(),
    expire_in: z.optional(z.nullable(z.string())),
    password: z.boolean(),
    visit_count: z.int().check(z.gte(0)),
    domain: z.optional(z.nullable(z.string())),
  }),
  Page: z.object({ total: z.int(), data: z.array(z.unknown()) }),
  Failure: z.object({ error: z.string() }),
}));

/** A link with its own properties in Kutt. `domain` is null on the default domain. */
interface KuttLink {
  id: string;
  domain: string | null;
  listed: ListedLink;
}

/** Adapter for Kutt 3, API v2. Kutt lists only the links of the key's user. */
export const kuttAdapter: ServiceAdapter = {
  kind: 'kutt',
  detect: { path: '/api/v2/health', matches: ({ status, text }) => status === 200 && text === 'OK' },

  async probe(context) {
    const answer = await request(context, 'GET', 'users');
    const user = parseOk(answer, schemas().User);
    const service = { name: 'Kutt', shortBaseUrl: '', features: [] };
    if (user) {
      const names = user.domains.map(({ address }) => address);
      return recognized({ ...service, ...(await readAddresses(names, context)) }, 'accepted');
    }
    const error = readError(answer);
    if (error && answer.status === 401) return recognized(service, 'refused');
    const isForbidden = error && (answer.status === 403 || error.code === 'forbidden');
    return isForbidden ? recognized(service, 'forbidden') : unrecognized(answer);
  },

  /** Creates the requested link. Before the request is repeated, `read` must show that the link does not exist. */
  create: createsOne({
    send: (link, context) => request(context, 'POST', 'links', toFields(link, context)),
    readCreated,
    readError,
    readTaken: read,
  }),

  read,

  /** Reads one page of the user's links. The cursor is an offset. */
  async list(cursor, context) {
    const skip = Number(cursor) || 0;
    const { links, unreadable, count, total } = await readPage(skip, '', context);
    const nextCursor = count > 0 && skip + count < total ? String(skip + count) : null;
    return { links: links.map(({ listed }) => listed), unreadable, nextCursor, total };
  },

  /** Changes the oldest link that has the code, because Kutt uses this one to redirect visitors. */
  async edit(reference, { url, title, expiresAt }, context) {
    // Kutt would ignore an empty field, and the user would believe that the field was removed.
    if (title === null || expiresAt === null) return fail('refused');
    const link = (await search(reference, context)).at(-1) ?? fail('gone');
    const answer = await request(context, 'PATCH', pathOf(link), {
      ...(url !== undefined && { target: url }),
      ...(title !== undefined && { description: title.slice(0, MAX_TITLE_LENGTH) }),
      ...(expiresAt !== undefined && { expire_in: toDuration(expiresAt, context.now) }),
      ...(link.listed.isRestricted && { password: KEEP_PASSWORD }),
    });
    const error = readError(answer);
    // Kutt refuses an edit that changes nothing.
    if (error?.message === 'Should at least update one field.') return link.listed;
    return readLink(answer.json)?.listed ?? failFor(answer, error);
  },

  async delete(reference, context) {
    const link = (await search(reference, context)).at(-1) ?? fail('gone');
    const answer = await request(context, 'DELETE', pathOf(link));
    if (answer.status !== 200) failFor(answer, readError(answer));
  },
};

/**
 * Returns the base URL of short links, and the user's domains if there are any. Both are taken from the newest links,
 * because the base URL may differ from the address of Kutt's own pages.
 */
async function readAddresses(
  own: string[],
  context: CallContext,
): Promise<Pick<ServiceInfo, 'shortBaseUrl' | 'domains'>> {
  const page = parseOk(await request(context, 'GET', `links?limit=${PAGE_SIZE}`), schemas().Page);
  const { links } = readRecords(page?.data ?? [], readLink);
  const baseOn = (host: string | null) => baseOf(links.find(({ domain }) => domain === host)?.listed);
  const shortBaseUrl = baseOn(null);
  if (own.length === 0) return { shortBaseUrl };
  const name = URL.parse(shortBaseUrl || context.baseUrl)?.host ?? '';
  const others = own.map((other) => ({ name: other, shortBaseUrl: baseOn(other) }));
  return { shortBaseUrl, domains: [{ name, shortBaseUrl }, ...others] };
}

function toFields(link: NewLink, context: CallContext): object {
  const { url, shortCode, title, expiresAt } = link;
  const domain = domainOf(link, context);
  return {
    target: url,
    ...(shortCode !== undefined && { customurl: shortCode }),
    ...(title && { description: title.slice(0, MAX_TITLE_LENGTH) }),
    ...(expiresAt !== undefined && { expire_in: toDuration(expiresAt, context.now) }),
    ...(domain !== null && { domain }),
  };
}

function readCreated({ status, json }: HttpAnswer, link: NewLink): RequestResult | null {
  const created = status === 201 ? readLink(json)?.listed : null;
  return created ? createdIfAsked(created, link) : null;
}

/** Reads one of the user's links. Other users' links are not visible. */
async function read(reference: LinkReference, context: CallContext): Promise<ListedLink | null> {
  return (await search(reference, context)).at(-1)?.listed ?? null;
}

/**
 * Searches the user's links for a short code. Returns all matching links, newest first, because several links may have
 * the same code.
 */
async function search(reference: LinkReference, context: CallContext): Promise<KuttLink[]> {
  const { shortCode, shortUrl } = reference;
  const host = shortUrl ? hostOf(shortUrl) : domainOf(reference, context);
  const isMatch = ({ listed, domain }: KuttLink) =>
    listed.shortCode === shortCode && (host === null ? domain === null : hostOf(listed.shortUrl) === host);
  const found: KuttLink[] = [];
  let term = shortCode;
  for (let number = 0; number < MAX_SEARCH_PAGES; number++) {
    const page = await readPage(number * PAGE_SIZE, term, context).catch((error: unknown) => {
      // With MySQL and MariaDB, every search fails. In that case, all links are read instead.
      if (term === '' || !(error instanceof OperationFailed)) throw error;
      term = '';
      return readPage(number * PAGE_SIZE, term, context);
    });
    // An unreadable record may be a link with this short code, so the search fails.
    if (page.unreadable > 0) fail('not_understood');
    found.push(...page.links.filter(isMatch));
    if (page.count === 0 || number * PAGE_SIZE + page.count >= page.total) return found;
  }
  // The search stops at a page limit, so a matching link may exist even if none was found.
  return found.length > 0 ? found : fail('not_understood');
}

/** Reads one page of the user's links, newest first. `term` is empty if the links are not searched. */
async function readPage(skip: number, term: string, context: CallContext) {
  const query = `limit=${PAGE_SIZE}&skip=${skip}${term && `&search=${encodeURIComponent(term)}`}`;
  const answer = await request(context, 'GET', `links?${query}`);
  const page = parseOk(answer, schemas().Page) ?? failFor(answer, readError(answer));
  return { ...readRecords(page.data, readLink), count: page.data.length, total: page.total };
}

/** Returns the name that Kutt uses for a link's domain. Null for the default domain. */
function domainOf({ domain }: LinkReference | NewLink, { service }: CallContext): string | null {
  return domain === undefined || domain === service?.domains?.[0]?.name ? null : domain;
}

function hostOf(url: string): string | undefined {
  return URL.parse(url)?.host;
}

/** Sends a request to Kutt's API. If the `Accept` header prefers HTML, Kutt sends errors with status 200. */
function request({ call, apiKey }: CallContext, method: HttpCall['method'], path: string, body?: object) {
  return call(jsonCall(method, `/api/v2/${path}`, { 'X-API-KEY': apiKey }, body));
}

function pathOf({ id }: KuttLink): string {
  return `links/${encodeURIComponent(id)}`;
}

/** Returns the error in a response from Kutt itself. Null if the response is not such an error. */
function readError({ status, json }: HttpAnswer): OwnError | null {
  const error = status >= 400 ? schemas().Failure.safeParse(json).data?.error : undefined;
  if (error === undefined) return null;
  return { message: error, code: PROBLEMS.find(([pattern]) => pattern.test(error))?.[1] };
}

/**
 * Returns the time until the expiry in milliseconds, as text. Kutt requires a duration, so the value is computed
 * again for each send.
 */
function toDuration(expiresAt: string, now: number): string {
  return String(Math.max(Date.parse(expiresAt) - now, 1));
}

function readLink(record: unknown): KuttLink | null {
  const { data } = schemas().Link.safeParse(record);
  if (!data) return null;
  const listed = toListed({
    shortCode: data.address,
    shortUrl: data.link,
    url: data.target,
    title: data.description ?? null,
    createdAt: parseTime(data.created_at),
    expiresAt: data.expire_in ? parseTime(data.expire_in) : null,
    clicks: data.visit_count,
    ...(data.password && { isRestricted: true }),
  });
  return listed && { id: data.id, domain: data.domain ?? null, listed };
}

/** Parses a time in ISO format or in the format of SQLite. SQLite times are in UTC, but contain no time zone. */
function parseTime(time: string): number {
  return Date.parse(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(time) ? `${time.replace(' ', 'T')}Z` : time);
}
