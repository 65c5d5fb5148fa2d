import {
  ANALYTICS_RANGE,
  type Analytics,
  AnalyticsQuery,
  HEADER,
  type LinkList,
  LinkListQuery,
  PAGE_LIMIT,
  SEARCH_LIMIT,
  TAG_LENGTH_LIMIT,
} from '@terse/contract';
import type { Context } from 'hono';
import type * as z from 'zod/mini';
import { analyzeDays, type Range } from '../clicks/read-analytics.ts';
import type { ApiKey } from '../domain/accounts/api-keys.ts';
import { dayOf, forEachKind, startOf, UNKNOWN } from '../domain/analytics/day-counts.ts';
import { newCodeProblem } from '../domain/links/link-rules.ts';
import {
  domainNames,
  foldCode,
  hostOf,
  hostOfDomain,
  isStoredCode,
  splitStoredCode,
  storedCode,
} from '../domain/links/short-codes.ts';
import { linkJson, type StoredLink } from '../domain/links/stored-link.ts';
import { ApiError } from '../http/api-error.ts';
import { linkFilter, pageOfLinks } from '../store/search-and-paginate-links.ts';
import { FIRST_ACCOUNT } from '../store/sql/account-queries.ts';
import type { LinkPosition } from '../store/sql/link-rows.ts';
import { parseEdit, parseJson, readBody } from './request-body.ts';
import type { Env, Services } from './services.ts';

/** `GET /api/v1/urls/{shortCode}`: returns a link, even if it has expired. */
export async function readLink(context: Context<Env>, services: Services): Promise<Response> {
  return context.json(linkJson(await findOwnLink(context, services), services));
}

/** `PATCH /api/v1/urls/{shortCode}`: changes the fields of a link that are in the body. */
export async function editLink(context: Context<Env>, services: Services): Promise<Response> {
  const { store, forgetLink } = services;
  const { accountId, code } = await findOwnLink(context, services);
  const edit = parseEdit(parseJson(await readBody(context.req)), services);
  const edited = await store.links.edit(accountId, code, edit);
  forgetLink(code);
  // Another request has deleted the link in the meantime.
  if (!edited) throw deletedError();
  return context.json(linkJson(edited, services));
}

/** `DELETE /api/v1/urls/{shortCode}`: deletes a link. Its short code is never used for another link. */
export async function deleteLink(context: Context<Env>, services: Services): Promise<Response> {
  const { store, clock, forgetLink } = services;
  const { accountId, code } = await findOwnLink(context, services);
  const removed = await store.links.remove(accountId, [code], clock());
  forgetLink(code);
  if (removed.length === 0) throw deletedError();
  return context.body(null, 204);
}

/**
 * Finds the link with the short code in the request path and the domain in the query. Also finds expired links.
 *
 * @throws ApiError `not_found` if the account has no matching link, or `gone` if the link was deleted
 */
async function findOwnLink(context: Context<Env>, services: Services): Promise<StoredLink> {
  const host = hostOfDomain(context.req.query('domain') ?? '', services.shortBaseUrls);
  const requested = context.req.param('shortCode') ?? '';
  const code = storedCode(host, services.foldsCase ? foldCode(requested) : requested);
  const link = isStoredCode(code) ? await findVisibleLink(services, context.var.key, code) : null;
  if (!link) {
    const headers = (await isAvailable(services, context.var.key, code)) ? { [HEADER.shortCodeAvailable]: 'true' } : {};
    throw new ApiError('not_found', { message: 'There is no such link.', headers });
  }
  if (link.deletedAt !== null) throw deletedError();
  return link;
}

/**
 * True if the API key can create a link with this stored code (see `storedCode`). Always false for keys of users
 * other than the service owner, because those users must not find out which short codes are taken.
 */
async function isAvailable(
  { store, shortBaseUrls }: Services,
  { accountId, ownLinksOnly, scopes }: ApiKey,
  stored: string,
): Promise<boolean> {
  const { host, code } = splitStoredCode(stored);
  const isOwner = accountId === FIRST_ACCOUNT && !ownLinksOnly && scopes.includes('create');
  const isKnownDomain = host === '' || domainNames(shortBaseUrls).includes(host);
  if (!isOwner || !isKnownDomain || newCodeProblem(code)) return false;
  return (await store.links.resolve(stored)) === null;
}

function deletedError(): ApiError {
  return new ApiError('gone', { message: 'This link was deleted.' });
}

/**
 * Finds a link by its stored code (see `storedCode`). Returns null if the account has no link with this code. Also
 * returns null if the API key is restricted to its own links and did not create this link.
 */
async function findVisibleLink({ store }: Services, key: ApiKey, code: string): Promise<StoredLink | null> {
  const link = await store.links.find(key.accountId, code);
  return link && (!key.ownLinksOnly || link.keyId === key.id) ? link : null;
}

/** Value of the query parameter `domain` that lists the links of all domains. */
const ALL_DOMAINS = '*';

const MESSAGES: Record<string, string> = {
  limit: `The limit must be a whole number from 1 to ${PAGE_LIMIT}.`,
  search: `The search text must not be longer than ${SEARCH_LIMIT} characters.`,
  tag: `The tag must not have a comma or more than ${TAG_LENGTH_LIMIT} characters.`,
  cursor: 'This cursor is not valid. Use the "nextCursor" of the previous page.',
};

/** `GET /api/v1/urls`: returns a page of links, newest first. */
export async function listLinks(context: Context<Env>, services: Services): Promise<Response> {
  const { key } = context.var;
  // Rejects a limit that does not consist of digits. The conversion to a number would also accept `0x10` and `1e1`,
  // which the OpenAPI document does not allow.
  if (!/^\d+$/.test(context.req.query('limit') ?? '1')) throw invalidQuery(MESSAGES.limit);
  const { limit, cursor, search, domain, tag } = parseQuery(context, LinkListQuery, MESSAGES);
  const after = await findPosition(services, key, cursor);
  const matches = linkFilter({ search, domain: listedDomain(services, domain), tag }, services.shortBaseUrls);
  // A key that may see only its own links lists the links that were created with it.
  const owner = { accountId: key.accountId, ...(key.ownLinksOnly && { keyId: key.id }) };
  const page = { ...owner, after, limit, matches };
  const { links, last } = await pageOfLinks(services.store.links, page);
  const list: LinkList = { links: links.map((link) => linkJson(link, services)), nextCursor: last?.code ?? null };
  return context.json(list);
}

/**
 * Returns the domain whose links are listed, or an empty string for all domains. By default, only links of the default
 * domain are listed, because clients without domain support identify links by their short codes alone.
 */
function listedDomain({ shortBaseUrls, hasOtherDomains }: Services, domain: string | undefined): string {
  if (!domain) return hasOtherDomains ? hostOf(shortBaseUrls[0]) : '';
  return domain === ALL_DOMAINS ? '' : domain;
}

/**
 * Finds the last link of the previous page. The cursor is the stored code of that link (see `storedCode`), and remains
 * valid after the link is deleted.
 */
async function findPosition(services: Services, key: ApiKey, cursor: string | undefined): Promise<LinkPosition | null> {
  if (cursor === undefined) return null;
  const link = isStoredCode(cursor) ? await findVisibleLink(services, key, cursor) : null;
  if (!link) throw invalidQuery(MESSAGES.cursor);
  return link;
}

/**
 * Parses the query of a request.
 *
 * @param messages message for each parameter that can be invalid
 */
function parseQuery<Schema extends z.ZodMiniObject>(
  context: Context<Env>,
  schema: Schema,
  messages: Record<string, string>,
): z.output<Schema> {
  const parsed = schema.safeParse(context.req.query());
  if (parsed.error) throw invalidQuery(messages[String(parsed.error.issues[0]?.path[0])]);
  return parsed.data;
}

function invalidQuery(message = 'The query is not valid.'): ApiError {
  return new ApiError('invalid_request', { message });
}

/** Number of days in the default range, which ends today. */
const DEFAULT_DAYS = 30;

/** Day number of January 1, 1970, the first day of the supported range. All links are newer. */
const FIRST_DAY = 0;

const RANGE_MESSAGES: Record<string, string> = {
  from: '"from" must be a UTC day, such as 2026-07-01.',
  to: '"to" must be a UTC day, such as 2026-07-31.',
  interval: '"interval" must be "hour", "day" or "month".',
};

/** `GET /api/v1/analytics/{shortCode}`: returns the clicks of a link in a range of UTC days. */
export async function readAnalytics(context: Context<Env>, services: Services): Promise<Response> {
  const link = await findOwnLink(context, services);
  const query = parseQuery(context, AnalyticsQuery, RANGE_MESSAGES);
  const { interval } = query;
  const range = rangeOf(query, services.clock());
  const days = await services.store.clicks.days(link.id, range.from, range.to);
  const { sum, series, names } = analyzeDays(days, range, interval);
  const body: Analytics = {
    shortCode: splitStoredCode(link.code).code,
    from: dayText(range.from),
    to: dayText(range.to),
    interval,
    ...sum,
    series: series.map(({ start, ...counts }) => ({ start: new Date(start).toISOString(), ...counts })),
    ...forEachKind((kind) => names[kind].map(nameWithClicks)),
  };
  return context.json(body);
}

function rangeOf({ from, to, interval }: AnalyticsQuery, now: number): Range {
  const last = to === undefined ? dayOf(now) : parseDay('to', to);
  const first = from === undefined ? Math.max(FIRST_DAY, last - DEFAULT_DAYS + 1) : parseDay('from', from);
  if (first > last) throw invalidQuery('"from" must not be after "to". The default of "to" is today.');
  const maxDays = ANALYTICS_RANGE[interval];
  if (last - first >= maxDays) throw invalidQuery(`A series by ${interval} covers at most ${maxDays} days.`);
  return { from: first, to: last };
}

function parseDay(field: 'from' | 'to', text: string): number {
  const day = dayOf(Date.parse(text));
  if (day < FIRST_DAY) throw invalidQuery(`"${field}" must not be before 1970-01-01.`);
  return day;
}

function dayText(day: number): string {
  return new Date(startOf(day)).toISOString().slice(0, 10);
}

function nameWithClicks([name, clicks]: [string, number]): Analytics['referrers'][number] {
  return { name: name === UNKNOWN ? null : name, clicks };
}
