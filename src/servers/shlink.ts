import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import {
  type CallContext,
  type Found,
  type LinkReference,
  type ListedLink,
  type NewLink,
  type RequestResult,
  type ServiceAdapter,
  type ServiceProblem,
  serviceFailure,
} from './adapter.ts';
import {
  baseOf,
  codeUseIn,
  createsOne,
  deletedIn,
  existing,
  failureOf,
  foundIn,
  isSameUrl,
  lazy,
  messageOf,
  NOT_UNDERSTOOD,
  parseOk,
  type ReadLink,
  readRecords,
  recognized,
  refused,
  serverError,
  settleTaken,
  toListed,
  UNAVAILABLE,
  unrecognized,
} from './answers.ts';
import { type HttpAnswer, type HttpCall, jsonCall } from './http.ts';

/**
 * Path that no other kind of server has. Shlink does not count requests for this path as visits, because it starts
 * with `/rest`.
 */
const HEALTH_PATH = '/rest/health';

/** Every error type of Shlink is an address that starts with this text. */
const ERROR_TYPE = 'https://shlink.io/api/error/';

const NOT_FOUND = 'short-url-not-found';

const PAGE_SIZE = 100;

/** Maximum length of a title in bytes. Shlink truncates longer titles, even in the middle of a character. */
const MAX_TITLE_BYTES = 512;

/**
 * Maximum number of links that are deleted for one code. Several links may have the same code if they were created at
 * the same moment.
 */
const MAX_DELETIONS = 3;

const PROBLEMS = new Map<string, ServiceProblem>([
  ['missing-authentication', 'unauthorized'],
  ['invalid-api-key', 'unauthorized'],
  [NOT_FOUND, 'gone'],
  ['not-found', 'cannot_list'],
]);

const schemas = lazy(() => ({
  Health: z.object({
    status: z.string(),
    version: z.string(),
    links: z.object({ about: z.literal('https://shlink.io') }),
  }),
  Domains: z.object({ domains: z.object({ data: z.array(z.object({ domain: z.string() })) }) }),
  Link: z.object({
    shortUrl: ShortUrl,
    shortCode: z.string(),
    longUrl: z.string(),
    dateCreated: z.string(),
    meta: z.object({
      validUntil: z.nullable(z.string()),
      validSince: z.optional(z.unknown()),
      maxVisits: z.optional(z.unknown()),
    }),
    title: z.nullable(z.string()),
    tags: z.catch(z.optional(z.array(z.string())), undefined),
    /** Absent in versions before Shlink 3.4. */
    visitsSummary: z.optional(z.object({ nonBots: z.int() })),
  }),
  Page: z.object({
    shortUrls: z.object({
      data: z.array(z.unknown()),
      pagination: z.object({ currentPage: z.int(), pagesCount: z.int(), totalItems: z.optional(z.int()) }),
    }),
  }),
  Failure: z.object({
    type: z.string().check(z.startsWith(ERROR_TYPE)),
    detail: z.string(),
    invalidElements: z.catch(z.optional(z.array(z.string())), undefined),
    domain: z.catch(z.optional(z.string()), undefined),
    customSlug: z.catch(z.optional(z.string()), undefined),
  }),
}));

/** Adapter for version 3 of Shlink's REST API. */
export const shlinkAdapter: ServiceAdapter = {
  kind: 'shlink',
  name: 'Shlink',
  detect: { path: HEALTH_PATH, matches: ({ json }) => schemas().Health.safeParse(json).success },

  async probe(context) {
    const health = await context.call(jsonCall('GET', HEALTH_PATH));
    if (health.status >= 500) return UNAVAILABLE;
    const version = schemas().Health.safeParse(health.json).data?.version;
    if (version === undefined) return unrecognized(health);
    const answer = await request(context, 'GET', 'domains');
    if (answer.status >= 500) return UNAVAILABLE;
    const names = parseOk(answer, schemas().Domains)?.domains.data.map(({ domain }) => domain);
    const domains = names ? await withBases(names, context) : (context.service?.domains ?? []);
    const document = { name: 'Shlink', version, shortBaseUrl: domains[0]?.shortBaseUrl ?? '', features: [], domains };
    const isRefused = failureFor(answer).problem === 'unauthorized';
    return recognized(document, names ? 'accepted' : isRefused ? 'refused' : null);
  },

  create: createsOne((link, context) => request(context, 'POST', 'short-urls', toFields(link, context)), readCreated),

  find: (link, context) => find(domainOf(context), link, context),

  async list(cursor, context) {
    const query = `page=${Number(cursor) || 1}&itemsPerPage=${PAGE_SIZE}&orderBy=dateCreated-DESC`;
    const answer = await request(context, 'GET', `short-urls?${query}`);
    const page = readPage(answer);
    if (!page) return failureFor(answer);
    const { links, unreadable, currentPage, pagesCount, totalItems: total } = page;
    // Shlink responds with an error if the requested page does not exist.
    const nextCursor = currentPage < pagesCount ? String(currentPage + 1) : null;
    return { value: { links, unreadable, nextCursor, total } };
  },

  async edit(reference, { title: newTitle, url, expiresAt, tags }, context) {
    const path = linkPath(reference.shortCode, domainOfLink(reference, context));
    let title = newTitle;
    // If an edit contains a URL but no title, Shlink opens the new URL to read a title. To prevent that, the current
    // title is sent.
    if (url !== undefined && title === undefined) {
      const before = existing(await read(path, context));
      if ('problem' in before) return before;
      title = before.value.title ?? '';
    }
    const answer = await request(context, 'PATCH', path, {
      ...(url !== undefined && { longUrl: url }),
      ...(title !== undefined && { title: title === null ? null : toText(title) }),
      ...(expiresAt !== undefined && { validUntil: expiresAt === null ? null : toAtom(expiresAt) }),
      ...(tags && { tags: tags.map(toText) }),
    });
    const link = readLink(answer);
    return link?.shortCode === reference.shortCode ? { value: link } : failureFor(answer);
  },

  async delete(reference, context) {
    const path = linkPath(reference.shortCode, domainOfLink(reference, context));
    for (let deletions = 0; deletions < MAX_DELETIONS; deletions++) {
      const answer = await request(context, 'DELETE', path);
      if (readError(answer)?.type === NOT_FOUND) return { value: null };
      if (answer.status !== 204) return failureFor(answer);
      const left = await read(path, context);
      if ('problem' in left || !left.value) return deletedIn(left);
    }
    return serviceFailure('not_understood');
  },

  codeUse: async (shortCode, context) => codeUseIn(await read(linkPath(shortCode, domainOf(context)), context)),
};

/**
 * Adds the base URL of its short links to each domain. The scheme and path are taken from the newest link, because
 * Shlink does not report them elsewhere. Without any link, the base URLs are empty.
 */
async function withBases(names: string[], context: CallContext) {
  const base = baseOf(readPage(await request(context, 'GET', 'short-urls?itemsPerPage=1'))?.links[0]);
  return names.map((name) => {
    const shortBaseUrl = base.replace(/^(https?:\/\/)[^/]+/, (_, scheme: string) => `${scheme}${name}`);
    return { name, shortBaseUrl };
  });
}

/** Looks for a link by its code. */
async function find(
  domain: string | null,
  link: NewLink & { shortCode: string },
  context: CallContext,
): Promise<Found> {
  const found = await read(linkPath(link.shortCode, domain), context);
  if ('value' in found && found.value && !isSameCode(found.value, link)) return { state: 'unknown' };
  return foundIn(found, link.url);
}

/** Returns the body of a create request. Shlink refuses unknown fields. */
function toFields({ url, shortCode, title = '', expiresAt, tags }: NewLink, { domain }: CallContext): object {
  return {
    longUrl: url,
    // Without a title, Shlink opens the long URL to find a title, which takes seconds. An empty title prevents that.
    title: toText(title),
    ...(shortCode !== undefined && { customSlug: shortCode }),
    ...(expiresAt !== undefined && { validUntil: toAtom(expiresAt) }),
    ...(tags && { tags: tags.map(toText) }),
    ...(domain !== null && { domain }),
  };
}

/**
 * Returns a title or tag in a form that Shlink does not truncate. Shlink removes HTML tags, and all text after an
 * unclosed `<`. A space after each `<` prevents that.
 */
function toText(text: string): string {
  const safe = text.replace(/<(?!\s)/g, '< ');
  const { read } = new TextEncoder().encodeInto(safe, new Uint8Array(MAX_TITLE_BYTES));
  return safe.slice(0, read);
}

/** Returns a time in Shlink's format, which has no fractions of a second. */
function toAtom(time: string): string {
  return `${new Date(time).toISOString().slice(0, -'.000Z'.length)}+00:00`;
}

/** True if the created link has the requested code. Some servers convert all codes to lower case. */
function isSameCode({ shortCode: created }: ListedLink, { shortCode: asked }: NewLink): boolean {
  return asked === undefined || created === asked || created === asked.toLowerCase();
}

/**
 * If the code is taken, reads the existing link, because an earlier attempt may have created it. Shlink's own
 * `findIfExists` is not used, because it would also accept links on other domains.
 */
async function readCreated(answer: HttpAnswer, link: NewLink, context: CallContext): Promise<RequestResult | null> {
  const created = readLink(answer);
  if (created) {
    const isAsked = isSameUrl(created.url, link.url) && isSameCode(created, link);
    return isAsked ? { kind: 'created', shortUrl: created.shortUrl } : NOT_UNDERSTOOD;
  }
  const error = readError(answer);
  if (!error) return null;
  const { type, message, domain, takenCode } = error;
  if (type !== 'non-unique-slug' || takenCode === null) return refusalOf(error, answer);
  // The code is taken even if no link was found, because a restricted key cannot see the links of other keys.
  const taken = refused('short_code_taken', message);
  return settleTaken({ ...link, shortCode: takenCode }, (asked) => find(domain, asked, context), taken);
}

function refusalOf({ type, message, fields }: ShlinkError, { status }: HttpAnswer): RequestResult {
  if (status >= 500) return serverError(message);
  if (fields.includes('longUrl')) return refused('invalid_url', message);
  const problem = PROBLEMS.get(type);
  if (problem === 'unauthorized') return refused('unauthorized', message);
  return refused(problem === 'cannot_list' ? 'not_a_service' : 'refused', message);
}

function readPage(answer: HttpAnswer) {
  const page = parseOk(answer, schemas().Page)?.shortUrls;
  return page ? { ...page.pagination, ...readRecords(page.data, readRecord) } : null;
}

/** Reads the link at this path. */
async function read(path: string, context: CallContext): Promise<ReadLink> {
  const answer = await request(context, 'GET', path);
  if (readError(answer)?.type === NOT_FOUND) return { value: null };
  const link = readLink(answer);
  return link ? { value: link } : failureFor(answer);
}

/** Returns the link in a response, or null if the response contains no link. */
function readLink({ status, json }: HttpAnswer): ListedLink | null {
  return status === 200 ? readRecord(json) : null;
}

function readRecord(record: unknown): ListedLink | null {
  const link = schemas().Link.safeParse(record).data;
  if (!link) return null;
  const { validUntil, validSince = null, maxVisits = null } = link.meta;
  return toListed({
    shortCode: link.shortCode,
    shortUrl: link.shortUrl,
    url: link.longUrl,
    title: link.title,
    createdAt: Date.parse(link.dateCreated),
    expiresAt: validUntil === null ? null : Date.parse(validUntil),
    clicks: link.visitsSummary?.nonBots ?? 0,
    ...((validSince !== null || maxVisits !== null) && { isRestricted: true }),
    ...(link.tags && { tags: link.tags }),
  });
}

/** Error response from Shlink itself. `type` is the error type without the prefix `ERROR_TYPE`. */
interface ShlinkError {
  type: string;
  message: string;
  /** Names of the fields that Shlink refused. */
  fields: string[];
  /** Domain of the link that the error is about. Null for the default domain. */
  domain: string | null;
  /** Short code that caused the error because it is already taken, as stored by Shlink. Null for other errors. */
  takenCode: string | null;
}

/** Returns the error from Shlink, or null if the response is not an error from Shlink. */
function readError({ json }: HttpAnswer): ShlinkError | null {
  const { data } = schemas().Failure.safeParse(json);
  if (!data) return null;
  const { type, detail, invalidElements: fields = [], domain = null, customSlug: takenCode = null } = data;
  return { type: type.slice(ERROR_TYPE.length), message: messageOf(detail), fields, domain, takenCode };
}

function failureFor(answer: HttpAnswer) {
  const error = readError(answer);
  if (!error || answer.status >= 500) return failureOf(answer, null);
  const { type, message } = error;
  return failureOf(answer, { code: type, message, problem: PROBLEMS.get(type) ?? 'refused' });
}

/** Sends a request to Shlink's API. Without the `Accept` header, Shlink would send errors as web pages. */
function request({ call, apiKey }: CallContext, method: HttpCall['method'], path: string, body?: object) {
  return call(jsonCall(method, `/rest/v3/${path}`, { 'X-Api-Key': apiKey }, body));
}

/** Returns the path of a link. If the path contains no domain, Shlink uses its default domain. */
function linkPath(shortCode: string, domain: string | null): string {
  const query = domain === null ? '' : `?domain=${encodeURIComponent(domain)}`;
  return `short-urls/${encodeURIComponent(shortCode)}${query}`;
}

/**
 * Returns the domain on which to look for links, or null for the server's default domain. If the connection has no
 * domain, returns the first domain in the server's list, because the API key may be restricted to that domain.
 */
function domainOf({ domain, service }: CallContext): string | null {
  return domain ?? service?.domains?.[0]?.name ?? null;
}

/** Returns the domain of a link, taken from the short URL that Shlink returned. */
function domainOfLink({ shortUrl }: LinkReference, context: CallContext): string | null {
  return /^https?:\/\/([^/]+)/.exec(shortUrl)?.[1] ?? domainOf(context);
}
