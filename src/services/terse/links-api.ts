import { Analytics } from '@terse/contract/analytics';
import { ErrorBody, ownErrorCode } from '@terse/contract/errors';
import { HEADER, parseRetryAfter } from '@terse/contract/http-headers';
import { Link, PAGE_LIMIT } from '@terse/contract/links';
import { FETCH_DEFAULTS, isRedirect, readJson, readReported } from '../http-client.ts';
import type { Destination, Fetch, ListedLink } from '../service-adapter.ts';
import { MAX_MESSAGE_LENGTH } from './error-response.ts';

/** Time limit of one request, in milliseconds. It is short because the user is waiting. */
const TIMEOUT_MS = 10_000;

/** Maximum lengths in UTF-16 code units. The API does not allow longer values. */
const MAX_LENGTH = { shortCode: 512, url: 32_768, title: 1_000, cursor: 2_048 };

/** Maximum number of intervals in click statistics. No page requests more. */
const MAX_INTERVALS = 62;
const MAX_REFERRERS = 5;
const MAX_REFERRER_LENGTH = 200;

/** Reason why a call to the links API failed. The message keys in `_locales` start with `service_<problem>`. */
export type ServiceProblem =
  | 'no_connection'
  | 'permission'
  | 'unauthorized'
  | 'forbidden'
  | 'cannot_list'
  | 'gone'
  | 'throttled'
  | 'redirected'
  | 'unreachable'
  | 'not_understood'
  | 'refused';

/**
 * Failure of an API call. `code` and `message` are untrusted text from the server. They are empty if the server sent
 * none.
 */
export interface ServiceFailure {
  problem: ServiceProblem;
  code: string;
  message: string;
  /** Time to wait before the next call. Null if the server did not specify a time. */
  retryAfterSeconds: number | null;
}

export type ServiceResult<T> = { value: T } | ServiceFailure;

export interface LinkListPage {
  links: ListedLink[];
  /** Number of records that were not valid links. */
  unreadable: number;
  /** Null on the last page. */
  nextCursor: string | null;
}

/** Changes to a link. Absent properties keep their values. */
export interface LinkChanges {
  url?: string;
  /** Null removes the title. */
  title?: string | null;
  /** Time in RFC 3339 format. Null removes the expiry. */
  expiresAt?: string | null;
}

/** Clicks of a link in the last 30 days. Times are in milliseconds. */
export interface Clicks {
  from: number;
  to: number;
  clicks: number;
  visitors: number;
  bots: number;
  series: { start: number; clicks: number }[];
  /** Host names of the pages that visitors came from, by number of clicks in descending order. Untrusted. */
  referrers: { name: string; clicks: number }[];
}

/**
 * Use of a short code, as far as the API key can see.
 * `yours`: a link has the code. `retired`: a deleted link had it. `available`: the server says that a new link can have
 * it. `unknown`: the server gave no clear answer. For example, the code may be reserved or belong to another account.
 */
export type CodeUse = 'yours' | 'retired' | 'available' | 'unknown';

export interface ServiceCall extends Destination {
  fetch: Fetch;
}

export function serviceFailure(problem: ServiceProblem): ServiceFailure {
  return { problem, code: '', message: '', retryAfterSeconds: null };
}

/** Reads one page of the server's list of links. An empty cursor selects the first page. */
export async function listLinks(call: ServiceCall, cursor: string): Promise<ServiceResult<LinkListPage>> {
  const query = `limit=${PAGE_LIMIT}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
  const response = await send(call, 'GET', `urls?${query}`);
  const failure = failureOf(response);
  if (failure) return failure.problem === 'gone' ? { ...failure, problem: 'cannot_list' } : failure;
  const page = parseLinkList(response.body);
  return page ? { value: page } : serviceFailure('not_understood');
}

export async function editLink(
  call: ServiceCall,
  shortCode: string,
  changes: LinkChanges,
): Promise<ServiceResult<ListedLink>> {
  const response = await send(call, 'PATCH', linkPath('urls', shortCode), changes);
  const failure = failureOf(response);
  if (failure) return failure;
  const link = parseListedLink(response.body);
  return link?.shortCode === shortCode ? { value: link } : serviceFailure('not_understood');
}

/** Deletes a link. The call also succeeds if the link is already deleted. */
export async function deleteLink(call: ServiceCall, shortCode: string): Promise<ServiceResult<null>> {
  const path = linkPath('urls', shortCode);
  const response = await send(call, 'DELETE', path);
  if (response.status !== 204) {
    const failure = failureOf(response);
    if (failure?.problem === 'gone') return { value: null };
    return failure ?? serviceFailure('not_understood');
  }
  // A Wi-Fi login page may answer any request with 204. To verify the deletion, the link is read, because the real
  // server then returns an error.
  const read = await send(call, 'GET', path);
  if (read.problem) return serviceFailure(read.problem);
  return ownErrorCode(read.status, read.body) ? { value: null } : serviceFailure('not_understood');
}

export async function readClicks(call: ServiceCall, shortCode: string): Promise<ServiceResult<Clicks>> {
  const response = await send(call, 'GET', linkPath('analytics', shortCode));
  const failure = failureOf(response);
  if (failure) return failure;
  const parsed = Analytics.safeParse(response.body);
  return parsed.success ? { value: clicksOf(parsed.data) } : serviceFailure('not_understood');
}

/** Finds out whether a short code is in use or available, if the server reveals that to the API key. */
export async function lookUpCode(call: ServiceCall, shortCode: string): Promise<ServiceResult<CodeUse>> {
  const response = await send(call, 'GET', linkPath('urls', shortCode));
  if (response.problem) return { value: 'unknown' };
  if (parseListedLink(response.body)?.shortCode === shortCode) return { value: 'yours' };
  const error = ownErrorCode(response.status, response.body);
  if (error === 'not_found' && response.isCodeAvailable) return { value: 'available' };
  return { value: error === 'gone' ? 'retired' : 'unknown' };
}

type ServiceResponse =
  | {
      status: number;
      body: unknown;
      retryAfterSeconds: number | null;
      /** True if the server says that a new link can have the short code in the request. */
      isCodeAvailable: boolean;
      problem?: undefined;
    }
  | { status: 0; body?: undefined; problem: 'redirected' | 'unreachable' };

/** Short codes of imported links may contain slashes, so they are encoded. */
export function linkPath(resource: 'urls' | 'analytics', shortCode: string): string {
  return `${resource}/${encodeURIComponent(shortCode)}`;
}

export async function send(
  { fetch, baseUrl, apiKey }: ServiceCall,
  method: 'GET' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<ServiceResponse> {
  try {
    const response = await fetch(`${baseUrl}/api/v1/${path}`, {
      ...FETCH_DEFAULTS,
      method,
      headers: {
        Accept: 'application/json',
        [HEADER.authorization]: `Bearer ${apiKey}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (isRedirect(response)) return { status: 0, problem: 'redirected' };
    const now = readReported(response.headers).date ?? Date.now();
    const retryAfterSeconds = parseRetryAfter(response.headers.get(HEADER.retryAfter), now);
    const isCodeAvailable = response.headers.get(HEADER.shortCodeAvailable) === 'true';
    return { status: response.status, body: await readJson(response), retryAfterSeconds, isCodeAvailable };
  } catch {
    return { status: 0, problem: 'unreachable' };
  }
}

/** Returns the failure in a response, or null if the call succeeded. */
function failureOf(response: ServiceResponse): ServiceFailure | null {
  if (response.problem) return serviceFailure(response.problem);
  const problem = problemOf(response);
  if (!problem) return null;
  const parsed = ErrorBody.safeParse(response.body).data;
  const message = parsed?.error.slice(0, MAX_MESSAGE_LENGTH) ?? '';
  return { problem, code: parsed?.code ?? '', message, retryAfterSeconds: response.retryAfterSeconds };
}

/**
 * Returns the problem in a response, or null if the call succeeded. A gateway's error page counts as a response that
 * could not be understood.
 */
function problemOf({ status, body }: { status: number; body: unknown }): ServiceProblem | null {
  if (status >= 200 && status < 300) return null;
  if (status === 429) return 'throttled';
  if (status >= 500) return 'unreachable';
  const code = ownErrorCode(status, body);
  if (code === 'not_found' || code === 'gone') return 'gone';
  if (!ErrorBody.safeParse(body).success || status === 404 || status === 410) return 'not_understood';
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
  const { shortCode, shortUrl, url, title, createdAt, expiresAt, clicks } = parsed.data;
  if (shortCode === '' || shortCode.length > MAX_LENGTH.shortCode || url.length > MAX_LENGTH.url) return null;
  return {
    shortCode,
    shortUrl,
    url,
    title: title === null ? null : title.slice(0, MAX_LENGTH.title),
    createdAt: Date.parse(createdAt),
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    clicks,
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
