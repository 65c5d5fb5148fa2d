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
import { NOT_REPORTED, UNDESCRIBED_KEY } from '../response-to-result.ts';
import type { Probe, ServiceAdapter, ServiceContext } from '../service-adapter.ts';
import { shlinkCapabilities } from './capabilities.ts';
import { createLink, findLink, toAtom, toText } from './create-link.ts';
import {
  domainOf,
  failureOf,
  linkPath,
  parseLink,
  readError,
  readLink,
  request,
  toListedLink,
} from './requests-and-responses.ts';

/**
 * Path that no other kind of server has. Shlink does not count requests for this path as visits, because it starts
 * with `/rest`.
 */
const HEALTH_PATH = '/rest/health';

const PAGE_SIZE = 100;

/**
 * Maximum number of links that are deleted for one code. Several links may have the same code if they were created at
 * the same moment.
 */
const MAX_DELETIONS = 3;

const Health = z.object({
  status: z.string(),
  version: z.string(),
  links: z.object({ about: z.literal('https://shlink.io') }),
});

const Domains = z.object({ domains: z.object({ data: z.array(z.object({ domain: z.string() })) }) });

const Page = z.object({
  shortUrls: z.object({
    data: z.array(z.unknown()),
    pagination: z.object({ currentPage: z.int(), pagesCount: z.int(), totalItems: z.optional(z.int()) }),
  }),
});

/** Adapter for version 3 of Shlink's REST API. */
export const shlinkAdapter: ServiceAdapter = {
  kind: 'shlink',
  name: 'Shlink',
  capabilities: shlinkCapabilities,
  detect: { path: HEALTH_PATH, matches: ({ json }) => Health.safeParse(json).success },
  probe,
  create: createLink,
  find: findLink,
  list,
  edit,
  delete: deleteLink,
  codeUse,
};

function* probe(context: ServiceContext): Exchange<Probe> {
  const health = yield { method: 'GET', path: HEALTH_PATH, headers: { Accept: 'application/json' } };
  const { status, json, date } = health;
  if (status >= 500) return { reached: false, problem: 'unavailable' };
  const version = Health.safeParse(json).data?.version;
  if (version === undefined) {
    const isPage = status < 300 && json === undefined;
    return { reached: true, document: null, key: null, ...NOT_REPORTED, ...(isPage && { isPage }) };
  }
  const answer = yield request(context, 'GET', 'domains');
  if (answer.status >= 500) return { reached: false, problem: 'unavailable' };
  const data = Domains.safeParse(answer.json).data?.domains.data;
  const known = context.service?.domains ?? [];
  const toBase = data ? yield* readBaseOfDomains(context) : null;
  const domains = data?.map(({ domain }) => ({ name: domain, shortBaseUrl: toBase?.(domain) ?? '' })) ?? known;
  const shortBaseUrl = domains[0]?.shortBaseUrl ?? '';
  const isRefused = failureOf(answer).problem === 'unauthorized';
  const key = data ? UNDESCRIBED_KEY : isRefused ? 'refused' : null;
  const document = { name: 'Shlink', version, shortBaseUrl, features: [], domains };
  return { reached: true, document, key, date, limits: NOT_REPORTED.limits };
}

/**
 * Returns a function that converts a domain to the base URL of its short links. The scheme and path are taken from
 * the newest link, because Shlink does not report them elsewhere. Returns null if no link can be read.
 */
function* readBaseOfDomains(context: ServiceContext): Exchange<((domain: string) => string) | null> {
  const page = readPage(yield request(context, 'GET', 'short-urls?itemsPerPage=1'));
  const [link] = page?.links ?? [];
  if (!link?.shortUrl.endsWith(`/${link.shortCode}`)) return null;
  const base = link.shortUrl.slice(0, -link.shortCode.length - 1);
  return (domain) => base.replace(/^(https?:\/\/)[^/]+/, (_, scheme: string) => `${scheme}${domain}`);
}

function* list(cursor: string, context: ServiceContext): Exchange<ServiceResult<LinkListPage>> {
  const query = `page=${Number(cursor) || 1}&itemsPerPage=${PAGE_SIZE}&orderBy=dateCreated-DESC`;
  const answer = yield request(context, 'GET', `short-urls?${query}`);
  const page = readPage(answer);
  if (!page) return failureOf(answer);
  const { links, unreadable, currentPage, pagesCount, totalItems: total } = page;
  // Shlink responds with an error if the requested page does not exist.
  const nextCursor = currentPage < pagesCount ? String(currentPage + 1) : null;
  return { value: { links: links.map(toListedLink), unreadable, nextCursor, total } };
}

function readPage({ status, json }: HttpAnswer) {
  const parsed = status === 200 ? Page.safeParse(json).data : undefined;
  if (!parsed) return null;
  const { data, pagination } = parsed.shortUrls;
  const links = data.map(parseLink).filter((link) => link !== null);
  return { ...pagination, links, unreadable: data.length - links.length };
}

function* edit(
  reference: LinkReference,
  changes: LinkChanges,
  context: ServiceContext,
): Exchange<ServiceResult<ListedLink>> {
  const path = linkPath(reference.shortCode, domainOfLink(reference, context));
  const { url, expiresAt, tags } = changes;
  let { title } = changes;
  // If an edit contains a URL but no title, Shlink opens the new URL to read a title. To prevent that, the current
  // title is sent.
  if (url !== undefined && title === undefined) {
    const current = yield request(context, 'GET', path);
    const link = readLink(current);
    if (!link) return failureOf(current);
    title = link.title;
  }
  const answer = yield request(context, 'PATCH', path, {
    ...(url !== undefined && { longUrl: url }),
    ...(title !== undefined && { title: title === null ? null : toText(title) }),
    ...(expiresAt !== undefined && { validUntil: expiresAt === null ? null : toAtom(expiresAt) }),
    ...(tags && { tags: tags.map(toText) }),
  });
  const link = readLink(answer);
  return link?.shortCode === reference.shortCode ? { value: toListedLink(link) } : failureOf(answer);
}

function* deleteLink(reference: LinkReference, context: ServiceContext): Exchange<ServiceResult<null>> {
  const path = linkPath(reference.shortCode, domainOfLink(reference, context));
  for (let deletions = 0; deletions < MAX_DELETIONS; deletions++) {
    const answer = yield request(context, 'DELETE', path);
    const isGone = readError(answer)?.type === 'short-url-not-found';
    if (isGone) return { value: null };
    if (answer.status !== 204) return failureOf(answer);
    // A Wi-Fi login page may respond to any request with 204, so the link is read to verify the deletion.
    const read = yield request(context, 'GET', path);
    if (readError(read)?.type === 'short-url-not-found') return { value: null };
    if (!readLink(read)) return failureOf(read);
  }
  return serviceFailure('not_understood');
}

function* codeUse(shortCode: string, context: ServiceContext): Exchange<ServiceResult<CodeUse>> {
  const answer = yield request(context, 'GET', linkPath(shortCode, domainOf(context)));
  if (readLink(answer)) return { value: 'yours' };
  return { value: readError(answer)?.type === 'short-url-not-found' ? 'available' : 'unknown' };
}

/** Returns the domain of a link, taken from the short URL that Shlink returned. */
function domainOfLink({ shortUrl }: LinkReference, context: ServiceContext): string | null {
  return /^https?:\/\/([^/]+)/.exec(shortUrl)?.[1] ?? domainOf(context);
}
