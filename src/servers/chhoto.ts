import * as z from 'zod/mini';
import type { CallContext, LinkReference, ListedLink, NewLink, RequestResult, ServiceAdapter } from './adapter.ts';
import {
  absent,
  createdIfAsked,
  createsOne,
  fail,
  failFor,
  type OwnError,
  readRecords,
  recognized,
  refused,
  toListed,
  unrecognized,
} from './answers.ts';
import { type HttpAnswer, type HttpCall, jsonCall, lazy, parseOk } from './http.ts';

const PAGE_SIZE = 100;

/** Maximum time until a link expires, in seconds. The server silently reduces larger values to this maximum. */
const MAX_DELAY_SECONDS = 157_784_760;

/**
 * Patterns for the server's reasons. The HTTP status of a missing link depends on the server's version. Reasons of
 * server errors match none of the patterns.
 */
const PROBLEMS: [RegExp, OwnError['code']][] = [
  [/^API validation failed/, 'unauthorized'],
  [/^Invalid longlink/, 'invalid_url'],
  [/^Invalid shortlink/, 'invalid_short_code'],
  [/already in use/, 'short_code_taken'],
  [/does not exist|was not found/, 'gone'],
];

const schemas = lazy(() => {
  // If `expiry_time` is 0, the link never expires.
  const fields = { hits: z.int(), expiry_time: z.int().check(z.gte(0)), notes: z._default(z.string(), '') };
  return {
    Config: z.object({
      version: z.string(),
      site_url: z.catch(z.nullable(z.url({ protocol: /^https?$/ })), null),
    }),
    Created: z.object({ success: z.literal(true), shorturl: z.string() }),
    Expanded: z.object({ success: z.literal(true), longurl: z.string(), ...fields }),
    ListRecord: z.object({ shortlink: z.string(), longlink: z.string(), ...fields }),
    Done: z.object({ success: z.literal(true), reason: z.string() }),
    Refusal: z.object({ success: z.literal(false), reason: z.string() }),
  };
});

/** Adapter for chhoto-url with an API key. */
export const chhotoAdapter: ServiceAdapter = {
  kind: 'chhoto',
  detect: { path: '/api/version', matches: ({ status, text }) => status === 200 && /^Chhoto URL v/.test(text ?? '') },

  async probe(context) {
    // A server in public mode returns its configuration even for a wrong key, so `whoami` checks the key first.
    const answer = await request(context, 'GET', 'whoami');
    const service = { name: 'chhoto-url', shortBaseUrl: context.baseUrl, features: [] };
    const { status, text } = answer;
    if (status === 200 && (text === 'public' || text === 'nobody'))
      return recognized(context.service ?? service, 'refused');
    if (!isAdmin(answer)) return unrecognized(answer);
    const config = await request(context, 'GET', 'getconfig');
    const found = schemas().Config.safeParse(config.json).data;
    if (!found) return unrecognized(config);
    const { version, site_url } = found;
    const shortBaseUrl = site_url?.replace(/\/+$/, '') ?? context.baseUrl;
    return recognized({ ...service, version, shortBaseUrl }, 'accepted');
  },

  create: createsOne({
    send: (link, context) => {
      // The server would shorten a longer duration.
      const isTooLong = secondsUntil(link.expiresAt, context.now) > MAX_DELAY_SECONDS;
      return isTooLong ? refused('expiry_too_late') : request(context, 'POST', 'new', toFields(link, context.now));
    },
    readCreated,
    readError,
    readTaken: read,
  }),

  read,

  /**
   * Reads one page of links, newest first. The server sends the newest page first, but sorts the links on each page
   * oldest first. The cursor contains the codes of the last two links of a page. The next page starts after the first of
   * them and contains the second again, so an empty page shows that a link was deleted meanwhile.
   */
  async list(cursor, context) {
    const [after = '', repeated] = cursor.split(' ');
    const start = after && `&page_after=${encodeURIComponent(after)}`;
    const answer = await request(context, 'GET', `all?page_size=${PAGE_SIZE}${start}`);
    if (answer.status !== 200 || !Array.isArray(answer.json)) return failFor(answer, readError(answer));
    const records: unknown[] = answer.json.toReversed();
    // An empty first page counts only if `whoami` shows that the server accepts the API key.
    if (records.length === 0 && (after || !isAdmin(await request(context, 'GET', 'whoami')))) fail('not_understood');
    const { links: all, unreadable } = readRecords(records, (record) => readRecord(record, context));
    const links = all.filter(({ shortCode }) => shortCode !== repeated);
    const hasMore = records.length >= PAGE_SIZE && links.length > 1;
    const lastTwo = links.slice(-2).map(({ shortCode }) => shortCode);
    return { links, unreadable, nextCursor: hasMore ? lastTwo.join(' ') : null };
  },

  async edit(link, { url, title, expiresAt }, context) {
    const before = (await read(link, context)) ?? fail('gone');
    const notes = title ? toNotes(title) : title;
    // The server ignores empty values, so an edit cannot remove a field.
    if (notes === null || notes === '' || expiresAt === null) return fail('refused');
    const answer = await request(context, 'PUT', 'edit', {
      shortlink: link.shortCode,
      longlink: url ?? before.url,
      reset_hits: false,
      ...(notes !== undefined && { notes }),
      // In an edit, the expiry is a Unix time in seconds. In a create request, it is a duration.
      ...(expiresAt !== undefined && { expiry_time: Math.floor(Date.parse(expiresAt) / 1000) }),
    });
    if (!isDone(answer)) failFor(answer, readError(answer));
    return (await read(link, context)) ?? fail('gone');
  },

  async delete({ shortCode }, context) {
    const answer = await request(context, 'DELETE', `del/${encodeURIComponent(shortCode)}`);
    if (!isDone(answer)) failFor(answer, readError(answer));
  },
};

function isAdmin({ status, text }: HttpAnswer): boolean {
  return status === 200 && text === 'admin';
}

function readCreated({ json }: HttpAnswer, link: NewLink, context: CallContext): RequestResult | null {
  const { shorturl } = schemas().Created.safeParse(json).data ?? {};
  if (shorturl === undefined) return null;
  const shortCode = shorturl.slice(shorturl.lastIndexOf('/') + 1);
  return createdIfAsked({ shortCode, shortUrl: shortUrlOf(shortCode, context), url: link.url }, link);
}

/** Converts a title to printable ASCII characters, because the server accepts no others. */
function toNotes(title: string): string {
  const ascii = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^!-~]+/g, ' ')
    .trim();
  // A title in a non-Latin script would be reduced to its punctuation, so the title is dropped.
  return /[A-Za-z0-9]/.test(ascii) ? ascii : '';
}

/**
 * Returns the fields of a create request. The expiry is sent as a duration from now, so its value differs in each
 * attempt.
 */
function toFields({ url, shortCode = '', title = '', expiresAt }: NewLink, now: number): object {
  const notes = toNotes(title);
  return {
    shortlink: shortCode,
    longlink: url,
    ...(notes && { notes }),
    ...(expiresAt !== undefined && { expiry_delay: secondsUntil(expiresAt, now) }),
  };
}

/** Returns the seconds until a time, at least 1, because a link with a duration of 0 would never expire. */
function secondsUntil(time: string | undefined, now: number): number {
  return time === undefined ? 0 : Math.max(1, Math.round((Date.parse(time) - now) / 1000));
}

async function read({ shortCode }: LinkReference, context: CallContext): Promise<ListedLink | null> {
  const headers = { Accept: 'application/json', 'Content-Type': 'text/plain', 'X-API-Key': context.apiKey };
  const answer = await context.call({ method: 'POST', path: '/api/expand', headers, body: shortCode });
  const found = parseOk(answer, schemas().Expanded);
  const link = found && readRecord({ ...found, shortlink: shortCode, longlink: found.longurl }, context);
  return link ?? absent(answer, readError(answer));
}

/** Converts a record of the list. The creation time is null, because the server does not store it. */
function readRecord(record: unknown, context: CallContext): ListedLink | null {
  const link = schemas().ListRecord.safeParse(record).data;
  if (!link) return null;
  return toListed({
    shortCode: link.shortlink,
    shortUrl: shortUrlOf(link.shortlink, context),
    url: link.longlink,
    title: link.notes,
    createdAt: null,
    expiresAt: link.expiry_time === 0 ? null : link.expiry_time * 1000,
    clicks: link.hits,
  });
}

/**
 * Returns the short URL of a code. The short URL from the server is not used, because it starts with
 * `http://localhost` if the server's address is not configured.
 */
function shortUrlOf(code: string, { baseUrl, service }: CallContext): string {
  return `${service?.shortBaseUrl || baseUrl}/${code}`;
}

function isDone({ status, json }: HttpAnswer): boolean {
  return status >= 200 && status < 300 && schemas().Done.safeParse(json).success;
}

/** Returns the server's refusal, or null if the response is not one. The list refuses a wrong key in plain text. */
function readError({ status, text, json }: HttpAnswer): OwnError | null {
  const reason = status === 401 && json === undefined ? text : schemas().Refusal.safeParse(json).data?.reason;
  const code = PROBLEMS.find(([pattern]) => pattern.test(reason ?? ''))?.[1];
  if (reason == null || (json === undefined && code !== 'unauthorized')) return null;
  return { message: reason, code };
}

/** Sends a request. Without the header, some servers respond in plain text and with other status codes. */
function request({ call, apiKey }: CallContext, method: HttpCall['method'], path: string, body?: object) {
  return call(jsonCall(method, `/api/${path}`, { 'X-API-Key': apiKey }, body));
}
