import { Analytics } from '@terse/contract/analytics';
import { ErrorBody, ownErrorCode } from '@terse/contract/errors';
import { HEADER } from '@terse/contract/http-headers';
import { Link, PAGE_LIMIT } from '@terse/contract/links';
import { ignoreNoAnswer, messageOf } from './answers.ts';
import { type HttpAnswer, jsonCall } from './http.ts';
import {
  type Clicks,
  type LinkListPage,
  type LinkReference,
  type ListedLink,
  MAX_LENGTH,
  type ServiceFailure,
  type ServiceProblem,
  serviceFailure,
} from './link-operations.ts';
import { listedTags } from './parse-and-format-tags.ts';
import type { CallContext, LinkOperations } from './service-adapter.ts';

/** Maximum number of intervals in click statistics. No page of the extension requests more. */
const MAX_INTERVALS = 62;
const MAX_REFERRERS = 5;
const MAX_REFERRER_LENGTH = 200;

/** Operations on existing links of a server with our API. */
export const terseLinks: LinkOperations = {
  async list(cursor, context) {
    const domains = context.service?.domains ? '&domain=*' : '';
    const query = `limit=${PAGE_LIMIT}${domains}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const answer = await request(context, 'GET', `urls?${query}`);
    const failure = failureOf(answer);
    if (failure) return failure.problem === 'gone' ? { ...failure, problem: 'cannot_list' } : failure;
    const page = parseLinkList(answer.json);
    return page ? { value: page } : serviceFailure('not_understood');
  },

  async edit(link, changes, context) {
    const { shortCode } = link;
    const answer = await request(context, 'PATCH', linkPath('urls', shortCode, domainOf(link, context)), changes);
    const failure = failureOf(answer);
    if (failure) return failure;
    const edited = parseListedLink(answer.json);
    return edited?.shortCode === shortCode ? { value: edited } : serviceFailure('not_understood');
  },

  async delete(link, context) {
    const path = linkPath('urls', link.shortCode, domainOf(link, context));
    const answer = await request(context, 'DELETE', path);
    if (answer.status !== 204) {
      const failure = failureOf(answer);
      if (failure?.problem === 'gone') return { value: null };
      return failure ?? serviceFailure('not_understood');
    }
    // A Wi-Fi login page may respond to any request with 204. If the server really deleted the link, reading the link
    // returns an error.
    const read = await request(context, 'GET', path);
    return ownErrorCode(read.status, read.json) ? { value: null } : serviceFailure('not_understood');
  },

  async clicks(link, context) {
    const answer = await request(context, 'GET', linkPath('analytics', link.shortCode, domainOf(link, context)));
    const failure = failureOf(answer);
    if (failure) return failure;
    const parsed = Analytics.safeParse(answer.json);
    return parsed.success ? { value: clicksOf(parsed.data) } : serviceFailure('not_understood');
  },

  /**
   * Finds out whether a short code is in use or available. Returns `unknown` if the server does not reveal this to the
   * API key.
   */
  async codeUse(shortCode, context) {
    const read = request(context, 'GET', linkPath('urls', shortCode, context.domain));
    const answer = await read.catch(ignoreNoAnswer);
    if (!answer) return { value: 'unknown' };
    if (parseListedLink(answer.json)?.shortCode === shortCode) return { value: 'yours' };
    const error = ownErrorCode(answer.status, answer.json);
    const isFree = error === 'not_found' && answer.headers.get(HEADER.shortCodeAvailable) === 'true';
    if (isFree) return { value: 'available' };
    return { value: error === 'gone' ? 'retired' : 'unknown' };
  },
};

/** Returns the server's name for the domain of a link. Null if the domain is the default domain or is unknown. */
function domainOf({ shortUrl }: LinkReference, { service }: CallContext): string | null {
  const [, ...others] = service?.domains ?? [];
  return others.find(({ shortBaseUrl }) => shortUrl.startsWith(`${shortBaseUrl}/`))?.name ?? null;
}

/**
 * Returns the path of a link. The path contains the link's domain, unless this is the default domain. Short codes are
 * URL-encoded, because codes of imported links may contain slashes.
 */
export function linkPath(resource: 'urls' | 'analytics', shortCode: string, domain: string | null): string {
  return `${resource}/${encodeURIComponent(shortCode)}${domain === null ? '' : `?domain=${encodeURIComponent(domain)}`}`;
}

/** Sends a request about existing links. */
export function request(
  { call, apiKey }: CallContext,
  method: 'GET' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<HttpAnswer> {
  return call(jsonCall(method, `/api/v1/${path}`, { [HEADER.authorization]: `Bearer ${apiKey}` }, body));
}

function failureOf(answer: HttpAnswer): ServiceFailure | null {
  const problem = problemOf(answer);
  if (!problem) return null;
  const parsed = ErrorBody.safeParse(answer.json).data;
  const { retryAfterSeconds } = answer;
  return { problem, code: parsed?.code ?? '', message: messageOf(parsed?.error), retryAfterSeconds };
}

/**
 * Returns the problem in a response, or null if the call succeeded. A gateway's error page counts as
 * `not_understood`.
 */
function problemOf({ status, json }: HttpAnswer): ServiceProblem | null {
  if (status >= 200 && status < 300) return null;
  if (status === 429) return 'throttled';
  if (status >= 500) return 'unreachable';
  const code = ownErrorCode(status, json);
  if (code === 'not_found' || code === 'gone') return 'gone';
  if (!ErrorBody.safeParse(json).success || status === 404 || status === 410) return 'not_understood';
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  return status === 405 ? 'cannot_list' : 'refused';
}

/**
 * Parses each record of a page separately, so that an invalid record does not hide the valid ones. Returns null if
 * the body is not a page of links.
 */
function parseLinkList(body: unknown): LinkListPage | null {
  const { links, nextCursor } = (body ?? {}) as { links?: unknown; nextCursor?: unknown };
  if (!Array.isArray(links)) return null;
  if (nextCursor !== null && (typeof nextCursor !== 'string' || nextCursor.length > MAX_LENGTH.cursor)) return null;
  const valid = links.map(parseListedLink).filter((link) => link !== null);
  return { links: valid, unreadable: links.length - valid.length, nextCursor: nextCursor || null };
}

function parseListedLink(record: unknown): ListedLink | null {
  const parsed = Link.safeParse(record);
  if (!parsed.success) return null;
  const { shortCode, shortUrl, url, title, createdAt, expiresAt, clicks, tags } = parsed.data;
  if (shortCode === '' || shortCode.length > MAX_LENGTH.shortCode || url.length > MAX_LENGTH.url) return null;
  return {
    shortCode,
    shortUrl,
    url,
    title: title === null ? null : title.slice(0, MAX_LENGTH.title),
    createdAt: Date.parse(createdAt),
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    clicks,
    ...(tags && { tags: listedTags(tags) }),
  };
}

function clicksOf({ from, to, clicks, visitors, bots, series, referrers }: Analytics): Clicks {
  return {
    from: Date.parse(from),
    to: Date.parse(to),
    clicks,
    visitors,
    bots,
    series: series.slice(-MAX_INTERVALS).map((one) => ({ start: Date.parse(one.start), clicks: one.clicks })),
    referrers: referrers
      .flatMap(({ name, clicks }) => (name ? [{ name: name.slice(0, MAX_REFERRER_LENGTH), clicks }] : []))
      .slice(0, MAX_REFERRERS),
  };
}
