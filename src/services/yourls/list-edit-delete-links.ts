import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import type { Exchange } from '../http-request-types.ts';
import {
  type CodeUse,
  type LinkChanges,
  type LinkListPage,
  type LinkReference,
  type ListedLink,
  MAX_LENGTH,
  type ServiceResult,
  serviceFailure,
} from '../link-operations.ts';
import { isSameUrl } from '../response-to-result.ts';
import type { ServiceContext } from '../service-adapter.ts';
import { toSentUrl } from './create-link.ts';
import { expand, failureOf, readFailure, request } from './requests-and-responses.ts';

const PAGE_SIZE = 100;

/** Title that tells the plugin "Update Shortened URL" to keep the stored title. */
const KEEP_TITLE = 'keep';

const Row = z.object({
  shorturl: ShortUrl,
  url: z.string().check(z.minLength(1), z.maxLength(MAX_LENGTH.url)),
  title: z.optional(z.nullable(z.string())),
  timestamp: z.string(),
  // Older versions of PHP send numbers as text.
  clicks: z.coerce.number().check(z.int(), z.gte(0)),
});

const Page = z.object({
  // Absent on an empty page.
  links: z.optional(z.record(z.string(), z.unknown())),
  stats: z.object({ total_links: z.coerce.number() }),
});

const UrlStats = z.object({ link: z.unknown() });

/** Reads one page of all users' links, newest first. The cursor is an offset. */
export function* listLinks(cursor: string, context: ServiceContext): Exchange<ServiceResult<LinkListPage>> {
  const start = Number(cursor) || 0;
  const options = { filter: 'last', limit: String(PAGE_SIZE), start: String(start) };
  const answer = yield request(context, 'stats', options);
  const page = readFailure(answer) ? undefined : Page.safeParse(answer.json).data;
  if (!page) return failureOf(answer);
  const records = Object.values(page.links ?? {});
  const links = records.map(readRow).filter((link) => link !== null);
  const next = start + records.length;
  const total = page.stats.total_links;
  const nextCursor = records.length > 0 && next < total ? String(next) : null;
  return { value: { links, unreadable: records.length - links.length, nextCursor, total } };
}

/** Changes a link. The server needs the plugin "Update Shortened URL". */
export function* editLink(
  { shortCode }: LinkReference,
  { url, title }: LinkChanges,
  context: ServiceContext,
): Exchange<ServiceResult<ListedLink>> {
  if (title === null) return serviceFailure('refused');
  const found = yield* expand(shortCode, context);
  if ('failed' in found) return failureOf(found.failed);
  if (!found.link) return serviceFailure('gone');
  const sentUrl = url === undefined ? found.link.longurl : toSentUrl(url);
  const fields = { shorturl: shortCode, url: sentUrl, title: title || KEEP_TITLE };
  const answer = yield request(context, 'update', fields);
  if (answer.status !== 200 || readFailure(answer)) return failureOf(answer);
  // The response to the edit does not contain the link, so the link is read again.
  const stats = yield request(context, 'url-stats', { shorturl: shortCode });
  const link = readFailure(stats) ? null : readRow(UrlStats.safeParse(stats.json).data?.link);
  if (!link) return failureOf(stats);
  return isSameUrl(link.url, sentUrl) ? { value: link } : serviceFailure('not_understood');
}

/** Deletes a link. The server needs the plugin "API Action - Delete". */
export function* deleteLink({ shortCode }: LinkReference, context: ServiceContext): Exchange<ServiceResult<null>> {
  const answer = yield request(context, 'delete', { shorturl: shortCode });
  const failure = readFailure(answer);
  if (failure && failure.status !== 404) return failureOf(answer);
  // Only a response from YOURLS itself shows that the link is deleted.
  const left = yield* expand(shortCode, context);
  if ('failed' in left) return failureOf(left.failed);
  return left.link ? serviceFailure('not_understood') : { value: null };
}

export function* codeUse(shortCode: string, context: ServiceContext): Exchange<ServiceResult<CodeUse>> {
  const found = yield* expand(shortCode, context);
  if ('failed' in found) return { value: 'unknown' };
  return { value: found.link ? 'yours' : 'available' };
}

/** Returns a row of the list as a link, or null if the row is not valid. */
export function readRow(record: unknown): ListedLink | null {
  const row = Row.safeParse(record).data;
  const shortCode = row?.shorturl.slice(row.shorturl.lastIndexOf('/') + 1);
  if (!row || !shortCode || shortCode.length > MAX_LENGTH.shortCode) return null;
  // The timestamp is in UTC, although it does not specify a time zone.
  const createdAt = Date.parse(`${row.timestamp.replace(' ', 'T')}Z`);
  if (Number.isNaN(createdAt)) return null;
  const title = row.title ? row.title.slice(0, MAX_LENGTH.title) : null;
  return { shortCode, shortUrl: row.shorturl, url: row.url, title, createdAt, expiresAt: null, clicks: row.clicks };
}
