import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import { failureOf, lazy, messageOf } from './answers.ts';
import { type HttpAnswer, type HttpCall, jsonCall } from './http.ts';
import {
  type Clicks,
  type LinkReference,
  type ListedLink,
  MAX_LENGTH,
  type ServiceFailure,
  type ServiceResult,
  serviceFailure,
} from './link-operations.ts';
import type { CallContext, LinkOperations } from './service-adapter.ts';

/** Number of links on a page. If a request asks for more than 50, Kutt returns 50 without an error. */
export const PAGE_SIZE = 50;

/**
 * Maximum number of pages that are searched for a code. More than one page is needed if many links contain the code,
 * or if the server's search fails.
 */
const MAX_SEARCH_PAGES = 40;

const DAY_MS = 86_400_000;
const MAX_REFERRERS = 5;

/**
 * Text that Kutt's own form sends to keep a password. An edit that does not send a password removes the stored one.
 */
const KEEP_PASSWORD = '••••••••';

/** Messages with which Kutt reports that a link does not exist. */
const GONE = ['Link was not found.', 'Link could not be found.'];

const schemas = lazy(() => ({
  Link: z.object({
    id: z.string().check(z.minLength(1), z.maxLength(64)),
    address: z.string().check(z.minLength(1), z.maxLength(MAX_LENGTH.shortCode)),
    link: ShortUrl,
    target: z.string().check(z.maxLength(MAX_LENGTH.url)),
    description: z.optional(z.nullable(z.string())),
    created_at: z.string(),
    expire_in: z.optional(z.nullable(z.string())),
    password: z.boolean(),
    visit_count: z.int().check(z.gte(0)),
    domain: z.optional(z.nullable(z.string())),
  }),
  Page: z.object({ total: z.int(), data: z.array(z.unknown()) }),
  Failure: z.object({ error: z.string() }),
  Stats: z.object({
    lastMonth: z.object({
      views: z.array(z.int()).check(z.maxLength(31)),
      total: z.int(),
      stats: z.object({ referrer: z.array(z.object({ name: z.string(), value: z.int() })) }),
    }),
  }),
}));

type Schemas = ReturnType<typeof schemas>;
type KuttLink = z.infer<Schemas['Link']>;
type Month = z.infer<Schemas['Stats']>['lastMonth'];

/** Operations on the existing links of a user of Kutt. */
export const kuttLinks: LinkOperations = {
  /** Reads one page of the user's links. The cursor is an offset. */
  async list(cursor, context) {
    const skip = Number(cursor) || 0;
    const answer = await request(context, 'GET', `links?limit=${PAGE_SIZE}&skip=${skip}`);
    const page = readPage(answer);
    if (!page) return failureFor(answer);
    const { data, total } = page;
    const links = data.map((record) => toListed(readLink(record))).filter((link) => link !== null);
    const next = skip + data.length;
    const nextCursor = data.length > 0 && next < total ? String(next) : null;
    return { value: { links, unreadable: data.length - links.length, nextCursor, total } };
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
      const answer = await request(context, 'PATCH', `links/${encodeURIComponent(link.id)}`, {
        ...(url !== undefined && { target: url }),
        ...(title !== undefined && { description: title }),
        ...(expiresAt !== undefined && { expire_in: toDuration(expiresAt, context.now) }),
        ...(link.password && { password: KEEP_PASSWORD }),
      });
      // Kutt refuses an edit that changes nothing.
      const isUnchanged = errorOf(answer) === 'Should at least update one field.';
      edited = isUnchanged ? link : answer.status === 200 ? readLink(answer.json) : null;
      if (!edited) return failureFor(answer);
    }
    if (!edited) return serviceFailure('gone');
    const listed = toListed(edited);
    return listed?.shortCode === reference.shortCode ? { value: listed } : serviceFailure('not_understood');
  },

  /** Deletes all links that have the short code in `reference`. */
  async delete(reference, context) {
    const found = await findReferenced(reference, context);
    if ('problem' in found) return found;
    if (found.value.length === 0) return { value: null };
    for (const { id } of found.value) {
      const answer = await request(context, 'DELETE', `links/${encodeURIComponent(id)}`);
      const isGone = errorOf(answer) === 'Could not find the link.';
      if (answer.status !== 200 && !isGone) return failureFor(answer);
    }
    // A Wi-Fi login page may respond to any request with 200, so the deletion is verified.
    const left = await findReferenced(reference, context);
    if ('problem' in left) return left;
    return left.value.length === 0 ? { value: null } : serviceFailure('not_understood');
  },

  /** Reads the clicks of the last 30 days. Kutt does not count visitors or bots. */
  async clicks(reference, context) {
    const found = await findReferenced(reference, context);
    if ('problem' in found) return found;
    const link = found.value.at(-1);
    if (!link) return serviceFailure('gone');
    const answer = await request(context, 'GET', `links/${encodeURIComponent(link.id)}/stats`);
    const stats = answer.status === 200 ? schemas().Stats.safeParse(answer.json).data : undefined;
    return stats ? { value: toClicks(stats.lastMonth, context.now) } : failureFor(answer);
  },

  /** Checks the user's own links. A code of another user is never reported as available. */
  async codeUse(shortCode, context) {
    const found = await searchCode(shortCode, isOnContextDomain(context), context);
    return { value: 'value' in found && found.value.length > 0 ? 'yours' : 'unknown' };
  },
};

/**
 * Searches the list of links for a short code. Returns all matching links, newest first, because several links may
 * have the same code.
 *
 * @param isOnDomain returns true for links on the requested domain
 */
export async function searchCode(
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
    const page = readPage(answer);
    if (!page) return failureFor(answer);
    const links = page.data.map(readLink).filter((link) => link !== null);
    // An unreadable record may be a link with this short code, so the search fails.
    if (links.length < page.data.length) return serviceFailure('not_understood');
    found.push(...links.filter((link) => link.address === shortCode && isOnDomain(link)));
    if (page.data.length === 0 || (number + 1) * PAGE_SIZE >= page.total) return { value: found };
  }
  // The search stops at a page limit, so a matching link may exist even if none was found.
  return found.length > 0 ? { value: found } : serviceFailure('not_understood');
}

function findReferenced({ shortCode, shortUrl }: LinkReference, context: CallContext) {
  const host = URL.parse(shortUrl)?.host;
  const isOnDomain = ({ link }: KuttLink) => host === undefined || URL.parse(link)?.host === host;
  return searchCode(shortCode, isOnDomain, context);
}

/** Returns the name that Kutt uses for the connection's domain. Null for the default domain. */
export function domainOf({ domain, service }: CallContext): string | null {
  return domain === service?.domains?.[0]?.name ? null : domain;
}

/** Returns a function that checks whether a link is on the connection's domain. */
export function isOnContextDomain(context: CallContext): (link: KuttLink) => boolean {
  const connected = domainOf(context);
  // Links on the default domain have no domain name, so the host of the short URL is compared too.
  return ({ domain, link }) =>
    (domain ?? null) === connected || (connected !== null && URL.parse(link)?.host === connected);
}

/** Sends a request to Kutt's API. `path` is the part after `/api/v2/`. */
export function request({ call, apiKey }: CallContext, method: HttpCall['method'], path: string, body?: object) {
  // If the `Accept` header prefers HTML, Kutt sends errors with status 200.
  return call(jsonCall(method, `/api/v2/${path}`, { 'X-API-KEY': apiKey }, body));
}

export function readLink(record: unknown): KuttLink | null {
  return schemas().Link.safeParse(record).data ?? null;
}

/** Returns the message of an error from Kutt itself, or null if the response is not such an error. */
export function errorOf({ status, json }: HttpAnswer): string | null {
  return status >= 400 ? (schemas().Failure.safeParse(json).data?.error ?? null) : null;
}

/** Returns a page of the list of links, or null if the response is not such a page. */
export function readPage({ status, json }: HttpAnswer) {
  return status === 200 ? (schemas().Page.safeParse(json).data ?? null) : null;
}

/**
 * Returns the time until the expiry in milliseconds, as text. Kutt requires a duration, so the value is computed
 * again for each send.
 */
export function toDuration(expiresAt: string, now: number): string {
  return String(Math.max(Date.parse(expiresAt) - now, 1));
}

function failureFor(answer: HttpAnswer): ServiceFailure {
  const message = errorOf(answer);
  if (message === null) return failureOf(answer, null);
  // Kutt also sends status 500 for requests that it refuses.
  const isCrash = answer.status >= 500 && message === 'An error occurred.';
  const problem = GONE.includes(message) ? 'gone' : answer.status >= 500 && !isCrash ? 'refused' : undefined;
  return failureOf(answer, { message: messageOf(message), problem });
}

/** Converts a link to the extension's own format. Returns null if a time is invalid. */
function toListed(link: KuttLink | null): ListedLink | null {
  if (!link) return null;
  const { address, link: shortUrl, target, description, created_at, expire_in, password, visit_count } = link;
  const createdAt = parseTime(created_at);
  const expiresAt = expire_in ? parseTime(expire_in) : null;
  if (Number.isNaN(createdAt) || Number.isNaN(expiresAt)) return null;
  const title = description ? description.slice(0, MAX_LENGTH.title) : null;
  return {
    ...{ shortCode: address, shortUrl, url: target, title, createdAt, expiresAt, clicks: visit_count },
    ...(password && { isRestricted: true }),
  };
}

/** Parses a time in ISO format or in the format of SQLite. SQLite times are in UTC, but contain no time zone. */
function parseTime(time: string): number {
  return Date.parse(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(time) ? `${time.replace(' ', 'T')}Z` : time);
}

function toClicks({ views, total, stats }: Month, now: number): Clicks {
  const from = now - views.length * DAY_MS;
  return {
    from,
    to: now,
    clicks: total,
    visitors: null,
    bots: null,
    series: views.map((clicks, index) => ({ start: from + index * DAY_MS, clicks })),
    // In host names, Kutt stores `[dot]` in place of each dot.
    referrers: stats.referrer
      .map(({ name, value }) => ({ name: name.replaceAll('[dot]', '.').slice(0, 200), clicks: value }))
      .filter(({ name }) => name !== '' && name !== 'direct')
      .sort((a, b) => b.clicks - a.clicks)
      .slice(0, MAX_REFERRERS),
  };
}
