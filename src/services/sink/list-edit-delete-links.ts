import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import type { Exchange, HttpAnswer } from '../http-request-types.ts';
import {
  type CodeUse,
  type LinkChanges,
  type LinkListPage,
  type LinkReference,
  type ListedLink,
  type ServiceResult,
  serviceFailure,
} from '../link-operations.ts';
import type { ServiceContext } from '../service-adapter.ts';
import { SINK_FEATURE } from './capabilities.ts';
import { toSeconds } from './create-links.ts';
import {
  failureOf,
  query,
  readFailure,
  readLink,
  request,
  type SinkLink,
  shortBaseUrlOf,
  toListedLink,
} from './requests-and-responses.ts';

const PAGE_SIZE = 100;

const Page = z.object({
  links: z.array(z.unknown()),
  list_complete: z.boolean(),
  cursor: z.optional(z.nullable(z.string())),
});

const Counters = z.object({ data: z.array(z.object({ id: z.string(), visits: z.coerce.number() })) });

const Edited = z.object({ link: z.unknown(), shortLink: ShortUrl });

/** Reads one page of the list of links, newest first. The list includes expired links. */
export function* listLinks(cursor: string, context: ServiceContext): Exchange<ServiceResult<LinkListPage>> {
  const start = cursor && `&cursor=${encodeURIComponent(cursor)}`;
  const answer = yield request(context, 'GET', `link/list?limit=${PAGE_SIZE}&status=all${start}`);
  const page = answer.status === 200 ? Page.safeParse(answer.json).data : undefined;
  if (!page) return failureOf(answer);
  const links = page.links.map(readLink).filter((link) => link !== null);
  const counts = yield* readCounts(links, context);
  const shortBaseUrl = shortBaseUrlOf(context);
  const listed = links.map((link) => toListedLink(link, shortBaseUrl, counts.get(link.id) ?? 0));
  const valid = listed.filter((link) => link !== null);
  const nextCursor = page.list_complete ? null : (page.cursor ?? null);
  return { value: { links: valid, unreadable: page.links.length - valid.length, nextCursor } };
}

/** Changes a link. The link is read first, because Sink removes all properties that an edit does not contain. */
export function* editLink(
  { shortCode }: LinkReference,
  changes: LinkChanges,
  context: ServiceContext,
): Exchange<ServiceResult<ListedLink>> {
  const found = yield* query(shortCode, context);
  if ('failed' in found) return failureOf(found.failed);
  if (!found.link) return serviceFailure('gone');
  // The password in the response is masked, so it must not be sent back. Without this field, Sink keeps the stored
  // password.
  const {
    password: _password,
    id: _id,
    createdAt: _created,
    updatedAt: _updated,
    ...kept
  } = { ...found.record } as Record<string, unknown>;
  const { url, title, expiresAt } = changes;
  const answer = yield request(context, 'PUT', 'link/edit', {
    ...kept,
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title: title ?? undefined }),
    ...(expiresAt !== undefined && { expiration: expiresAt === null ? undefined : toSeconds(expiresAt) }),
  });
  const edited = answer.status === 201 ? Edited.safeParse(answer.json).data : undefined;
  const link = edited && readLink(edited.link);
  if (!link) return failureOf(answer);
  const counts = yield* readCounts([link], context);
  const listed = toListedLink(link, shortBaseUrlOf(context), counts.get(link.id) ?? 0);
  return listed?.shortCode === found.link.slug ? { value: listed } : serviceFailure('not_understood');
}

/** Deletes a link. Sink sends the same response whether or not the link existed. */
export function* deleteLink({ shortCode }: LinkReference, context: ServiceContext): Exchange<ServiceResult<null>> {
  const answer: HttpAnswer = yield request(context, 'POST', 'link/delete', { slug: shortCode });
  if (readFailure(answer)) return failureOf(answer);
  // A Wi-Fi login page may respond to any request with 204. Only a response from Sink itself shows that the link is
  // deleted.
  const left = yield* query(shortCode, context);
  if ('failed' in left) return failureOf(left.failed);
  return left.link ? serviceFailure('not_understood') : { value: null };
}

export function* codeUse(shortCode: string, context: ServiceContext): Exchange<ServiceResult<CodeUse>> {
  const found = yield* query(shortCode, context);
  if ('failed' in found) return { value: 'unknown' };
  return { value: found.link ? 'yours' : 'available' };
}

/** Returns the click counts of links, by link id. Returns an empty map if the server cannot read clicks. */
function* readCounts(links: SinkLink[], context: ServiceContext): Exchange<Map<string, number>> {
  if (!context.service?.features.includes(SINK_FEATURE.clicks) || links.length === 0) return new Map();
  const ids = links.map(({ id }) => encodeURIComponent(id)).join(',');
  const answer = yield request(context, 'GET', `stats/counters?id=${ids}`);
  const counters = answer.status === 200 ? Counters.safeParse(answer.json).data : undefined;
  return new Map(counters?.data.map(({ id, visits }) => [id, Math.max(0, Math.round(visits))]));
}
