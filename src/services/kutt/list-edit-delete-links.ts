import * as z from 'zod/mini';
import type { Exchange } from '../http-request-types.ts';
import {
  type Clicks,
  type CodeUse,
  type LinkChanges,
  type LinkListPage,
  type LinkReference,
  type ListedLink,
  type ServiceResult,
  serviceFailure,
} from '../link-operations.ts';
import type { ServiceContext } from '../service-adapter.ts';
import { toDuration } from './create-link.ts';
import {
  errorOf,
  failureOf,
  isOnContextDomain,
  type KuttLink,
  PAGE_SIZE,
  readLink,
  readPage,
  request,
  searchCode,
  toListedLink,
} from './requests-and-responses.ts';

const DAY_MS = 86_400_000;
const MAX_REFERRERS = 5;

/**
 * Text that Kutt's own form sends to keep a password. An edit that does not send a password removes the stored one.
 */
const KEEP_PASSWORD = '••••••••';

const MonthStats = z.object({
  lastMonth: z.object({
    views: z.array(z.int()).check(z.maxLength(31)),
    total: z.int(),
    stats: z.object({ referrer: z.array(z.object({ name: z.string(), value: z.int() })) }),
  }),
});

/** Reads one page of the user's links. The cursor is an offset. */
export function* listLinks(cursor: string, context: ServiceContext): Exchange<ServiceResult<LinkListPage>> {
  const skip = Number(cursor) || 0;
  const answer = yield request(context, 'GET', `links?limit=${PAGE_SIZE}&skip=${skip}`);
  const page = readPage(answer);
  if (!page) return failureOf(answer);
  const { data, total } = page;
  const links = data.map((record) => toValid(readLink(record))).filter((link) => link !== null);
  const next = skip + data.length;
  const nextCursor = data.length > 0 && next < total ? String(next) : null;
  return { value: { links, unreadable: data.length - links.length, nextCursor, total } };
}

/**
 * Changes all links that have the code. Several links may have the same code, and Kutt uses only the oldest one to
 * redirect visitors.
 */
export function* editLink(
  reference: LinkReference,
  changes: LinkChanges,
  context: ServiceContext,
): Exchange<ServiceResult<ListedLink>> {
  // Kutt would ignore an empty field, and the user would believe that the field was removed.
  if (changes.title === null || changes.expiresAt === null) return serviceFailure('refused');
  const found = yield* findReferenced(reference, context);
  if (!('value' in found)) return found;
  let edited: KuttLink | null = null;
  for (const link of found.value) {
    const { url, title, expiresAt } = changes;
    const answer = yield request(context, 'PATCH', `links/${encodeURIComponent(link.id)}`, {
      ...(url !== undefined && { target: url }),
      ...(title !== undefined && { description: title }),
      ...(expiresAt !== undefined && { expire_in: toDuration(expiresAt, context.now) }),
      ...(link.password && { password: KEEP_PASSWORD }),
    });
    // Kutt refuses an edit that changes nothing.
    const isUnchanged = errorOf(answer) === 'Should at least update one field.';
    edited = isUnchanged ? link : answer.status === 200 ? readLink(answer.json) : null;
    if (!edited) return failureOf(answer);
  }
  if (!edited) return serviceFailure('gone');
  const listed = toValid(edited);
  return listed?.shortCode === reference.shortCode ? { value: listed } : serviceFailure('not_understood');
}

/** Deletes all links that have the short code in `reference`. */
export function* deleteLink(reference: LinkReference, context: ServiceContext): Exchange<ServiceResult<null>> {
  const found = yield* findReferenced(reference, context);
  if (!('value' in found)) return found;
  for (const { id } of found.value) {
    const answer = yield request(context, 'DELETE', `links/${encodeURIComponent(id)}`);
    const isGone = errorOf(answer) === 'Could not find the link.';
    if (answer.status !== 200 && !isGone) return failureOf(answer);
  }
  if (found.value.length === 0) return { value: null };
  // Another server, such as a Wi-Fi login page, may respond to any request with 200, so the deletion is verified.
  const left = yield* findReferenced(reference, context);
  if (!('value' in left)) return left;
  return left.value.length === 0 ? { value: null } : serviceFailure('not_understood');
}

/** Reads the clicks of the last 30 days. Kutt does not count visitors or bots. */
export function* readClicks(reference: LinkReference, context: ServiceContext): Exchange<ServiceResult<Clicks>> {
  const found = yield* findReferenced(reference, context);
  if (!('value' in found)) return found;
  const link = found.value.at(-1);
  if (!link) return serviceFailure('gone');
  const answer = yield request(context, 'GET', `links/${encodeURIComponent(link.id)}/stats`);
  const stats = answer.status === 200 ? MonthStats.safeParse(answer.json).data : undefined;
  return stats ? { value: toClicks(stats.lastMonth, context.now) } : failureOf(answer);
}

export function* codeUse(shortCode: string, context: ServiceContext): Exchange<ServiceResult<CodeUse>> {
  const found = yield* searchCode(shortCode, isOnContextDomain(context), context);
  if (!('value' in found)) return { value: 'unknown' };
  return { value: found.value.length > 0 ? 'yours' : 'unknown' };
}

function findReferenced({ shortCode, shortUrl }: LinkReference, context: ServiceContext) {
  const host = URL.parse(shortUrl)?.host;
  const isOnDomain = ({ link }: KuttLink) => host === undefined || URL.parse(link)?.host === host;
  return searchCode(shortCode, isOnDomain, context);
}

function toValid(link: KuttLink | null): ListedLink | null {
  return link && toListedLink(link);
}

function toClicks({ views, total, stats }: z.infer<typeof MonthStats>['lastMonth'], now: number): Clicks {
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
