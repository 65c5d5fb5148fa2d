import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import type { CallContext, LinkReference, ListedLink, NewLink, ServiceAdapter } from './adapter.ts';
import {
  absent,
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
 * Path that no other kind of server has. Shlink does not count requests for this path as visits, because it starts
 * with `/rest`.
 */
const HEALTH_PATH = '/rest/health';

/** Every error type of Shlink is an address that starts with this text. */
const ERROR_TYPE = 'https://shlink.io/api/error/';

const PAGE_SIZE = 100;

/** Maximum length of a title in bytes. Shlink truncates longer titles, even in the middle of a character. */
const MAX_TITLE_BYTES = 512;

/** Reasons of errors, by error type without `ERROR_TYPE`. Other errors with a status 4xx are refusals. */
const PROBLEMS = new Map<string, OwnError['code']>([
  ['non-unique-slug', 'short_code_taken'],
  ['missing-authentication', 'unauthorized'],
  ['invalid-api-key', 'unauthorized'],
  ['short-url-not-found', 'gone'],
  ['not-found', 'not_a_service'],
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
    /** Code and domain that are taken. No domain means the default domain. */
    domain: z.catch(z.optional(z.string()), undefined),
    customSlug: z.catch(z.optional(z.string()), undefined),
  }),
}));

/** Adapter for version 3 of Shlink's REST API. */
export const shlinkAdapter: ServiceAdapter = {
  kind: 'shlink',
  detect: { path: HEALTH_PATH, matches: ({ json }) => schemas().Health.safeParse(json).success },

  async probe(context) {
    const health = await context.call(jsonCall('GET', HEALTH_PATH));
    const version = schemas().Health.safeParse(health.json).data?.version;
    if (version === undefined) return unrecognized(health);
    const answer = await request(context, 'GET', 'domains');
    const names = parseOk(answer, schemas().Domains)?.domains.data.map(({ domain }) => domain);
    const domains = names ? await withBases(names, context) : (context.service?.domains ?? []);
    const service = { name: 'Shlink', version, shortBaseUrl: domains[0]?.shortBaseUrl ?? '', features: [], domains };
    const isRefused = readError(answer)?.code === 'unauthorized';
    return recognized(service, names ? 'accepted' : isRefused ? 'refused' : 'unknown');
  },

  create: createsOne({
    send: (link, context) => request(context, 'POST', 'short-urls', toFields(link)),
    readCreated: (answer, link) => {
      const created = readLink(answer);
      return created && createdIfAsked(created, link);
    },
    readError,
    readTaken,
  }),

  read,

  async list(cursor, context) {
    const query = `page=${Number(cursor) || 1}&itemsPerPage=${PAGE_SIZE}&orderBy=dateCreated-DESC`;
    const answer = await request(context, 'GET', `short-urls?${query}`);
    const page = readPage(answer) ?? failFor(answer, readError(answer));
    const { links, unreadable, currentPage, pagesCount, totalItems: total } = page;
    // Shlink responds with an error if the requested page does not exist.
    const nextCursor = currentPage < pagesCount ? String(currentPage + 1) : null;
    return { links, unreadable, nextCursor, total };
  },

  async edit(link, { title: newTitle, url, expiresAt, tags }, context) {
    // If an edit contains a URL but no title, Shlink opens the new URL to read a title. To prevent that, the current
    // title is sent.
    const isTitleMissing = url !== undefined && newTitle === undefined;
    const before = isTitleMissing ? ((await read(link, context)) ?? fail('gone')) : null;
    const title = before ? (before.title ?? '') : newTitle;
    const answer = await request(context, 'PATCH', linkPath(link, context), {
      ...(url !== undefined && { longUrl: url }),
      ...(title !== undefined && { title: title === null ? null : toText(title) }),
      ...(expiresAt !== undefined && { validUntil: expiresAt === null ? null : toAtom(expiresAt) }),
      ...(tags && { tags: tags.map(toText) }),
    });
    return readLink(answer) ?? failFor(answer, readError(answer));
  },

  async delete(link, context) {
    const answer = await request(context, 'DELETE', linkPath(link, context));
    if (answer.status !== 204) failFor(answer, readError(answer));
  },
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

/** Returns the body of a create request. Shlink refuses unknown fields. */
function toFields({ url, shortCode, title = '', expiresAt, tags, domain }: NewLink): object {
  return {
    longUrl: url,
    // Without a title, Shlink opens the long URL to find a title, which takes seconds. An empty title prevents that.
    title: toText(title),
    ...(shortCode !== undefined && { customSlug: shortCode }),
    ...(expiresAt !== undefined && { validUntil: toAtom(expiresAt) }),
    ...(tags && { tags: tags.map(toText) }),
    ...(domain !== undefined && { domain }),
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

/**
 * Reads the link that has the code of a create request. Shlink's own `findIfExists` is not used, because it would also
 * accept links on other domains.
 */
async function readTaken(link: LinkReference, context: CallContext, answer: HttpAnswer): Promise<ListedLink | null> {
  const { customSlug = link.shortCode, domain } = schemas().Failure.safeParse(answer.json).data ?? {};
  return read({ shortCode: customSlug, domain }, context);
}

function readPage(answer: HttpAnswer) {
  const page = parseOk(answer, schemas().Page)?.shortUrls;
  return page ? { ...page.pagination, ...readRecords(page.data, readRecord) } : null;
}

async function read(link: LinkReference, context: CallContext): Promise<ListedLink | null> {
  const answer = await request(context, 'GET', linkPath(link, context));
  return readLink(answer) ?? absent(answer, readError(answer));
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

/** Returns the error from Shlink, or null if the response is not an error from Shlink. */
function readError({ status, json }: HttpAnswer): OwnError | null {
  const { data } = schemas().Failure.safeParse(json);
  if (!data) return null;
  const { type, detail, invalidElements = [] } = data;
  const isUrlInvalid = invalidElements.includes('longUrl');
  const other = status < 500 ? 'refused' : undefined;
  const code = isUrlInvalid ? 'invalid_url' : (PROBLEMS.get(type.slice(ERROR_TYPE.length)) ?? other);
  return { message: detail, code };
}

/** Sends a request to Shlink's API. Without the `Accept` header, Shlink would send errors as web pages. */
function request({ call, apiKey }: CallContext, method: HttpCall['method'], path: string, body?: object) {
  return call(jsonCall(method, `/rest/v3/${path}`, { 'X-Api-Key': apiKey }, body));
}

/**
 * Returns the path of a link. Its domain is taken from the short URL that Shlink returned. Without a short URL and a
 * domain, it is the first domain in the server's list, because the API key may be restricted to that
 * domain. If the path contains no domain, Shlink uses its default domain.
 */
function linkPath({ shortCode, shortUrl = '', domain }: LinkReference, { service }: CallContext): string {
  const host = /^https?:\/\/([^/]+)/.exec(shortUrl)?.[1] ?? domain ?? service?.domains?.[0]?.name;
  const query = host === undefined ? '' : `?domain=${encodeURIComponent(host)}`;
  return `short-urls/${encodeURIComponent(shortCode)}${query}`;
}
