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
import { CAPITALS, chhotoCapabilities } from './capabilities.ts';
import { createLinks, findLink, toNotes } from './create-links.ts';
import {
  type ChhotoLink,
  expandCall,
  failureOf,
  isAbsent,
  readExpanded,
  readRecord,
  request,
  toListedLink,
} from './requests-and-responses.ts';

const PAGE_SIZE = 100;

/**
 * Number of short codes in a cursor. A cursor contains the codes of the last links on a page. If the link with the
 * first code has been deleted, the server returns an empty page, and the next code is tried.
 */
const CURSOR_CODES = 3;

const Config = z.object({
  version: z.string(),
  site_url: z.catch(z.nullable(z.url({ protocol: /^https?$/ })), null),
  allow_capital_letters: z.boolean(),
});

/** Adapter for chhoto-url with an API key. */
export const chhotoAdapter: ServiceAdapter = {
  kind: 'chhoto',
  name: 'chhoto-url',
  capabilities: chhotoCapabilities,
  detect: { path: '/api/version', matches: ({ status, text }) => status === 200 && /^Chhoto URL v/.test(text ?? '') },
  probe,
  create: createLinks,
  find: findLink,
  list,
  edit,
  delete: deleteLink,
  codeUse,
};

/**
 * Checks the API key with `whoami` first, because a server in public mode returns its configuration even for a wrong
 * key.
 */
function* probe(context: ServiceContext): Exchange<Probe> {
  const answer = yield request(context, 'GET', 'whoami');
  const { status, text, date } = answer;
  if (status >= 500) return { reached: false, problem: 'unavailable' };
  const limits = NOT_REPORTED.limits;
  const document = { name: 'chhoto-url', version: '', shortBaseUrl: context.baseUrl, features: [] };
  if (status === 200 && (text === 'public' || text === 'nobody'))
    return { reached: true, document: { ...document, ...context.service }, key: 'refused', date, limits };
  const isOwn = isAdmin(answer);
  const config = isOwn ? yield request(context, 'GET', 'getconfig') : answer;
  if (config.status >= 500) return { reached: false, problem: 'unavailable' };
  const found = isOwn ? Config.safeParse(config.json).data : undefined;
  if (!found) {
    const isPage = status < 300 && answer.json === undefined;
    return { reached: true, document: null, key: null, ...NOT_REPORTED, ...(isPage && { isPage }) };
  }
  const shortBaseUrl = found.site_url?.replace(/\/+$/, '') ?? context.baseUrl;
  const features = found.allow_capital_letters ? [CAPITALS] : [];
  return {
    reached: true,
    document: { ...document, version: found.version, shortBaseUrl, features },
    key: UNDESCRIBED_KEY,
    date,
    limits,
  };
}

function isAdmin({ status, text }: HttpAnswer): boolean {
  return status === 200 && text === 'admin';
}

/**
 * Reads one page of links, newest first. The server sends the newest page first, but sorts the links on each page
 * oldest first.
 */
function* list(cursor: string, context: ServiceContext): Exchange<ServiceResult<LinkListPage>> {
  const codes = cursor === '' ? [] : cursor.split(' ');
  const [oldest, ...others] = codes;
  let answer = yield pageCall(oldest, context);
  // The cursor contains the short codes of several links. If the first link was deleted, the server returns an empty
  // page. The next code is then tried.
  for (const code of others) {
    if (readRecords(answer)?.length !== 0) break;
    answer = yield pageCall(code, context);
  }
  const records = readRecords(answer);
  if (!records) return failureOf(answer);
  // An empty first page counts only if `whoami` shows that the server accepts the API key. An empty later page is an
  // error.
  if (records.length === 0 && (cursor !== '' || !isAdmin(yield request(context, 'GET', 'whoami'))))
    return serviceFailure('not_understood');
  const read = records.toReversed().map(readRecord);
  const links = read.filter((link): link is ChhotoLink => link !== null && !codes.includes(link.code));
  const last = links.slice(-CURSOR_CODES).map(({ code }) => code);
  const hasMore = records.length >= PAGE_SIZE && last.length > 0;
  return {
    value: {
      links: links.map((link) => toListedLink(link, context)),
      unreadable: read.filter((link) => link === null).length,
      nextCursor: hasMore ? last.reverse().join(' ') : null,
    },
  };
}

function pageCall(after: string | undefined, context: ServiceContext) {
  const query = after === undefined ? '' : `&page_after=${encodeURIComponent(after)}`;
  return request(context, 'GET', `all?page_size=${PAGE_SIZE}${query}`);
}

function readRecords({ status, json }: HttpAnswer): unknown[] | null {
  return status === 200 && Array.isArray(json) ? json : null;
}

function* edit(
  { shortCode }: LinkReference,
  { url, title, expiresAt }: LinkChanges,
  context: ServiceContext,
): Exchange<ServiceResult<ListedLink>> {
  const before = yield expandCall(context, shortCode);
  const link = readExpanded(before, shortCode);
  if (!link) return failureOf(before);
  const notes = title ? toNotes(title) : title;
  // The server ignores empty values, so an edit cannot remove a field.
  if (notes === null || notes === '' || expiresAt === null) return serviceFailure('refused');
  const answer = yield request(context, 'PUT', 'edit', {
    shortlink: shortCode,
    longlink: url ?? link.url,
    reset_hits: false,
    ...(notes !== undefined && { notes }),
    // In an edit, the expiry is a Unix time in seconds. In a create request, it is a duration.
    ...(expiresAt !== undefined && { expiry_time: Math.floor(Date.parse(expiresAt) / 1000) }),
  });
  if (!isDone(answer)) return failureOf(answer);
  const after = yield expandCall(context, shortCode);
  const edited = readExpanded(after, shortCode);
  return edited ? { value: toListedLink(edited, context) } : failureOf(after);
}

function* deleteLink({ shortCode }: LinkReference, context: ServiceContext): Exchange<ServiceResult<null>> {
  const answer = yield request(context, 'DELETE', `del/${encodeURIComponent(shortCode)}`);
  return isDone(answer) || isAbsent(answer) ? { value: null } : failureOf(answer);
}

function* codeUse(shortCode: string, context: ServiceContext): Exchange<ServiceResult<CodeUse>> {
  const answer = yield expandCall(context, shortCode);
  if (readExpanded(answer, shortCode)) return { value: 'yours' };
  return { value: isAbsent(answer) ? 'available' : 'unknown' };
}

const Done = z.object({ success: z.literal(true), reason: z.string() });

function isDone({ status, json }: HttpAnswer): boolean {
  return status >= 200 && status < 300 && Done.safeParse(json).success;
}
