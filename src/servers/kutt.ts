import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import {
  type CallContext,
  type Found,
  type LinkReference,
  type ListedLink,
  type NewLink,
  type ProblemCode,
  type RequestResult,
  type ServiceAdapter,
  type ServiceFailure,
  type ServiceInfo,
  type ServiceResult,
  serviceFailure,
} from './adapter.ts';
import {
  baseOf,
  createsOne,
  deletedIn,
  editedIn,
  failureOf,
  foundIn,
  isSameUrl,
  lazy,
  messageOf,
  NOT_UNDERSTOOD,
  parseOk,
  readRecords,
  recognized,
  refused,
  serverError,
  settleTaken,
  throttled,
  toListed,
  UNAVAILABLE,
  unrecognized,
} from './answers.ts';
import { type HttpAnswer, type HttpCall, jsonCall } from './http.ts';

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

/** Messages with which Kutt reports that a link does not exist. */
const GONE = ['Link was not found.', 'Link could not be found.'];

/**
 * Patterns for Kutt's error messages, because Kutt has no error codes. Kutt sends the first of these messages with
 * status 500.
 */
const PROBLEMS: [RegExp, ProblemCode][] = [
  [/^Custom URL is already in use/, 'short_code_taken'],
  [/^(Custom URL|You can't use this custom URL)/, 'invalid_short_code'],
  [/^(URL is not valid|Target is missing|Maximum URL length)/, 'invalid_url'],
  [/URLs are not allowed\.$|^Domain is banned|malware/, 'target_refused'],
  [/^Unauthorized/, 'unauthorized'],
  [/^(You're banned|Your email address is not verified)/, 'forbidden'],
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

/** A link as Kutt returns it. `domain` is null on the default domain. */
interface KuttLink extends ListedLink {
  id: string;
  domain: string | null;
}

/** Adapter for Kutt 3, API v2. Kutt lists only the links of the key's user. */
export const kuttAdapter: ServiceAdapter = {
  kind: 'kutt',
  name: 'Kutt',
  detect: { path: '/api/v2/health', matches: ({ status, text }) => status === 200 && text === 'OK' },

  async probe(context) {
    const answer = await request(context, 'GET', 'users');
    if (answer.status >= 500) return UNAVAILABLE;
    const user = parseOk(answer, schemas().User);
    const refusal = keyRefusal(answer);
    if (!user && !refusal) return unrecognized(answer);
    const names = user?.domains.map(({ address }) => address);
    const addresses = names ? await readAddresses(names, context) : { shortBaseUrl: '' };
    return recognized({ name: 'Kutt', version: '', features: [], ...addresses }, refusal ?? 'accepted');
  },

  /** Creates the requested link. Before the request is repeated, `find` must show that the link does not exist. */
  create: createsOne((link, context) => request(context, 'POST', 'links', toFields(link, context)), readCreated),

  find,

  /** Reads one page of the user's links. The cursor is an offset. */
  async list(cursor, context) {
    const skip = Number(cursor) || 0;
    const answer = await request(context, 'GET', `links?limit=${PAGE_SIZE}&skip=${skip}`);
    const page = parseOk(answer, schemas().Page);
    if (!page) return failureFor(answer);
    const { links, unreadable } = readRecords(page.data, readLink);
    const next = skip + page.data.length;
    const nextCursor = page.data.length > 0 && next < page.total ? String(next) : null;
    return { value: { links: links.map(withoutId), unreadable, nextCursor, total: page.total } };
  },

  /**
   * Changes all links that have the code. Several links may have the same code, and Kutt uses only the oldest one to
   * redirect visitors.
   */
  async edit(reference, { url, title, expiresAt }, context) {
    // Kutt would ignore an empty field, and the user would believe that the field was removed.
    if (title === null || expiresAt === null) return serviceFailure('refused');
    const found = await findReferenced(reference, context);
    if ('problem' in found) return found;
    let edited: KuttLink | null = null;
    for (const link of found.value) {
      const answer = await request(context, 'PATCH', pathOf(link), {
        ...(url !== undefined && { target: url }),
        ...(title !== undefined && { description: title }),
        ...(expiresAt !== undefined && { expire_in: toDuration(expiresAt, context.now) }),
        ...(link.isRestricted && { password: KEEP_PASSWORD }),
      });
      // Kutt refuses an edit that changes nothing.
      const isUnchanged = errorOf(answer) === 'Should at least update one field.';
      edited = isUnchanged ? link : answer.status === 200 ? readLink(answer.json) : null;
      if (!edited) return failureFor(answer);
    }
    return edited ? editedIn(withoutId(edited), reference) : serviceFailure('gone');
  },

  /** Deletes all links that have the short code in `reference`. */
  async delete(reference, context) {
    const found = await findReferenced(reference, context);
    if ('problem' in found) return found;
    if (found.value.length === 0) return { value: null };
    for (const link of found.value) {
      const answer = await request(context, 'DELETE', pathOf(link));
      const isGone = errorOf(answer) === 'Could not find the link.';
      if (answer.status !== 200 && !isGone) return failureFor(answer);
    }
    const left = await findReferenced(reference, context);
    return deletedIn('problem' in left ? left : { value: left.value[0] ?? null });
  },

  /** Checks the user's own links. A code of another user is never reported as available. */
  async codeUse(shortCode, context) {
    const found = await searchCode(shortCode, isOnContextDomain(context), context);
    return { value: 'value' in found && found.value.length > 0 ? 'yours' : 'unknown' };
  },
};

/** Returns `refused` or `forbidden` if Kutt rejected the API key, otherwise null. */
function keyRefusal(answer: HttpAnswer): 'refused' | 'forbidden' | null {
  const error = errorOf(answer);
  if (error === null) return null;
  if (answer.status === 401) return 'refused';
  return answer.status === 403 || error.startsWith('Your email address is not verified') ? 'forbidden' : null;
}

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
  const baseOn = (host: string | null) => baseOf(links.find(({ domain }) => domain === host));
  const shortBaseUrl = baseOn(null);
  if (own.length === 0) return { shortBaseUrl };
  const name = URL.parse(shortBaseUrl || context.baseUrl)?.host ?? '';
  const others = own.map((other) => ({ name: other, shortBaseUrl: baseOn(other) }));
  return { shortBaseUrl, domains: [{ name, shortBaseUrl }, ...others] };
}

function toFields({ url, shortCode, title, expiresAt }: NewLink, context: CallContext): object {
  const domain = domainOf(context);
  return {
    target: url,
    ...(shortCode !== undefined && { customurl: shortCode }),
    ...(title && { description: title.slice(0, MAX_TITLE_LENGTH) }),
    ...(expiresAt !== undefined && { expire_in: toDuration(expiresAt, context.now) }),
    ...(domain !== null && { domain }),
  };
}

async function readCreated(answer: HttpAnswer, link: NewLink, context: CallContext): Promise<RequestResult | null> {
  const error = errorOf(answer);
  if (error !== null) return refusalOf(messageOf(error), answer, link, context);
  const created = answer.status === 201 ? readLink(answer.json) : null;
  if (!created) return null;
  // A link with a different code or URL is not the requested link.
  const isAsked = created.shortCode === link.shortCode && isSameUrl(created.url, link.url);
  return isAsked ? { kind: 'created', shortUrl: created.shortUrl } : NOT_UNDERSTOOD;
}

function refusalOf(message: string, answer: HttpAnswer, link: NewLink, context: CallContext) {
  if (answer.status === 429) return throttled(answer, message);
  const code = PROBLEMS.find(([pattern]) => pattern.test(message))?.[1];
  if (!code && answer.status >= 500) return serverError(message);
  const refusal = refused(code ?? 'refused', message);
  return code === 'short_code_taken' ? settleTaken(link, (taken) => find(taken, context), refusal) : refusal;
}

/** Looks for a link among the user's links. Other users' links are not visible. */
async function find({ shortCode, url }: NewLink & { shortCode: string }, context: CallContext): Promise<Found> {
  const result = await searchCode(shortCode, isOnContextDomain(context), context);
  if ('problem' in result) return { state: 'unknown' };
  const own = result.value.find((link) => isSameUrl(link.url, url));
  return foundIn({ value: own ?? result.value[0] ?? null }, url);
}

/**
 * Searches the list of links for a short code. Returns all matching links, newest first, because several links may
 * have the same code.
 *
 * @param isOnDomain returns true for links on the requested domain
 */
async function searchCode(
  shortCode: string,
  isOnDomain: (link: KuttLink) => boolean,
  context: CallContext,
): Promise<ServiceResult<KuttLink[]>> {
  const found: KuttLink[] = [];
  let search = `&search=${encodeURIComponent(shortCode)}`;
  for (let number = 0; number < MAX_SEARCH_PAGES; number++) {
    let answer = await request(context, 'GET', `links?limit=${PAGE_SIZE}&skip=${number * PAGE_SIZE}${search}`);
    // With MySQL and MariaDB, every search fails. In that case, all links are read instead.
    if (number === 0 && answer.status === 500 && errorOf(answer) !== null) {
      search = '';
      answer = await request(context, 'GET', `links?limit=${PAGE_SIZE}&skip=0`);
    }
    const page = parseOk(answer, schemas().Page);
    if (!page) return failureFor(answer);
    const { links, unreadable } = readRecords(page.data, readLink);
    // An unreadable record may be a link with this short code, so the search fails.
    if (unreadable > 0) return serviceFailure('not_understood');
    found.push(...links.filter((link) => link.shortCode === shortCode && isOnDomain(link)));
    if (page.data.length === 0 || (number + 1) * PAGE_SIZE >= page.total) return { value: found };
  }
  // The search stops at a page limit, so a matching link may exist even if none was found.
  return found.length > 0 ? { value: found } : serviceFailure('not_understood');
}

function findReferenced({ shortCode, shortUrl }: LinkReference, context: CallContext) {
  const host = URL.parse(shortUrl)?.host;
  const isOnDomain = (link: KuttLink) => host === undefined || URL.parse(link.shortUrl)?.host === host;
  return searchCode(shortCode, isOnDomain, context);
}

/** Returns the name that Kutt uses for the connection's domain. Null for the default domain. */
function domainOf({ domain, service }: CallContext): string | null {
  return domain === service?.domains?.[0]?.name ? null : domain;
}

/** Returns a function that checks whether a link is on the connection's domain. */
function isOnContextDomain(context: CallContext): (link: KuttLink) => boolean {
  const connected = domainOf(context);
  // Links on the default domain have no domain name, so the host of the short URL is compared too.
  return ({ domain, shortUrl }) =>
    domain === connected || (connected !== null && URL.parse(shortUrl)?.host === connected);
}

/** Sends a request to Kutt's API. If the `Accept` header prefers HTML, Kutt sends errors with status 200. */
function request({ call, apiKey }: CallContext, method: HttpCall['method'], path: string, body?: object) {
  return call(jsonCall(method, `/api/v2/${path}`, { 'X-API-KEY': apiKey }, body));
}

function pathOf({ id }: KuttLink): string {
  return `links/${encodeURIComponent(id)}`;
}

/** Returns the message of an error from Kutt itself, or null if the response is not such an error. */
function errorOf({ status, json }: HttpAnswer): string | null {
  return status >= 400 ? (schemas().Failure.safeParse(json).data?.error ?? null) : null;
}

function failureFor(answer: HttpAnswer): ServiceFailure {
  const message = errorOf(answer);
  if (message === null) return failureOf(answer, null);
  // Kutt also sends status 500 for requests that it refuses.
  const isRefusal = answer.status >= 500 && message !== 'An error occurred.';
  const problem = GONE.includes(message) ? 'gone' : isRefusal ? 'refused' : undefined;
  return failureOf(answer, { message: messageOf(message), problem });
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
  return listed && { ...listed, id: data.id, domain: data.domain ?? null };
}

function withoutId({ id: _id, domain: _domain, ...link }: KuttLink): ListedLink {
  return link;
}

/** Parses a time in ISO format or in the format of SQLite. SQLite times are in UTC, but contain no time zone. */
function parseTime(time: string): number {
  return Date.parse(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(time) ? `${time.replace(' ', 'T')}Z` : time);
}
