import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import { type Exchange, type HttpAnswer, type HttpCall, jsonCall } from '../http-request-types.ts';
import {
  type ListedLink,
  MAX_LENGTH,
  type ServiceFailure,
  type ServiceProblem,
  type ServiceResult,
  serviceFailure,
} from '../link-operations.ts';
import { messageOf } from '../response-to-result.ts';
import type { ServiceContext } from '../service-adapter.ts';

/** Number of links on a page. If a request asks for more than 50, Kutt returns 50 without an error. */
export const PAGE_SIZE = 50;

/**
 * Maximum number of pages that are searched for a code. More than one page is needed if many links contain the code,
 * or if the server's search fails.
 */
const MAX_SEARCH_PAGES = 40;

const KuttLink = z.object({
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
});
export type KuttLink = z.infer<typeof KuttLink>;

const KuttPage = z.object({ total: z.int(), data: z.array(z.unknown()) });

const KuttError = z.object({ error: z.string() });

/** Returns a request to Kutt's API. `path` is the part after `/api/v2/`. */
export function request({ apiKey }: ServiceContext, method: HttpCall['method'], path: string, body?: object): HttpCall {
  // If the `Accept` header prefers HTML, Kutt sends errors with status 200.
  return jsonCall(method, `/api/v2/${path}`, { 'X-API-KEY': apiKey }, body);
}

export function readLink(record: unknown): KuttLink | null {
  return KuttLink.safeParse(record).data ?? null;
}

/** Returns the message of an error from Kutt itself, or null if the response is not such an error. */
export function errorOf({ status, json }: HttpAnswer): string | null {
  return status >= 400 ? (KuttError.safeParse(json).data?.error ?? null) : null;
}

/** Returns a page of the list of links, or null if the response is not such a page. */
export function readPage({ status, json }: HttpAnswer): z.infer<typeof KuttPage> | null {
  return status === 200 ? (KuttPage.safeParse(json).data ?? null) : null;
}

/**
 * Searches the list of links for a short code. Returns all matching links, newest first, because several links may
 * have the same code.
 *
 * @param isOnDomain returns true for links on the requested domain
 */
export function* searchCode(
  shortCode: string,
  isOnDomain: (link: KuttLink) => boolean,
  context: ServiceContext,
): Exchange<ServiceResult<KuttLink[]>> {
  const found: KuttLink[] = [];
  let search = `&search=${encodeURIComponent(shortCode)}`;
  for (let number = 0; number < MAX_SEARCH_PAGES; number++) {
    let answer = yield request(context, 'GET', `links?limit=${PAGE_SIZE}&skip=${number * PAGE_SIZE}${search}`);
    // With MySQL and MariaDB, every search fails. In that case, all links are read instead.
    if (number === 0 && answer.status === 500 && errorOf(answer) !== null) {
      search = '';
      answer = yield request(context, 'GET', `links?limit=${PAGE_SIZE}&skip=0`);
    }
    const page = readPage(answer);
    if (!page) return failureOf(answer);
    const links = page.data.map(readLink);
    // An unreadable record may be a link with this short code, so the search fails.
    if (links.includes(null)) return serviceFailure('not_understood');
    found.push(
      ...links.filter((link) => link !== null).filter((link) => link.address === shortCode && isOnDomain(link)),
    );
    if (page.data.length === 0 || (number + 1) * PAGE_SIZE >= page.total) return { value: found };
  }
  // The search stops at a page limit, so a matching link may exist even if none was found.
  return found.length > 0 ? { value: found } : serviceFailure('not_understood');
}

/** Returns the name that Kutt uses for the connection's domain. Null for the default domain. */
export function domainOf({ domain, service }: ServiceContext): string | null {
  return domain === service?.domains?.[0]?.name ? null : domain;
}

/** Returns a function that checks whether a link is on the connection's domain. */
export function isOnContextDomain(context: ServiceContext): (link: KuttLink) => boolean {
  const connected = domainOf(context);
  // Links on the default domain have no domain name, so the host of the short URL is compared too.
  return ({ domain, link }) =>
    (domain ?? null) === connected || (connected !== null && URL.parse(link)?.host === connected);
}

/** Converts an error response, or an unexpected response, to a `ServiceFailure`. */
export function failureOf(answer: HttpAnswer): ServiceFailure {
  const message = messageOf(errorOf(answer));
  return { problem: problemOf(answer), code: '', message, retryAfterSeconds: answer.retryAfterSeconds };
}

function problemOf(answer: HttpAnswer): ServiceProblem {
  const error = errorOf(answer);
  const { status } = answer;
  if (status === 429) return 'throttled';
  if (error === null) return status >= 500 ? 'unreachable' : 'not_understood';
  if (error === 'Link was not found.' || error === 'Link could not be found.') return 'gone';
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  return error === 'An error occurred.' && status >= 500 ? 'unreachable' : 'refused';
}

/** Converts a link to the extension's own format. Returns null if a time is invalid. */
export function toListedLink(link: KuttLink): ListedLink | null {
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
