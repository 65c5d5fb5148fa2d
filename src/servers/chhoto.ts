import * as z from 'zod/mini';
import type {
  CallContext,
  LinkReference,
  ListedLink,
  NewLink,
  OperationFailed,
  ProblemCode,
  RequestResult,
  ServiceAdapter,
} from './adapter.ts';
import {
  createsOne,
  existing,
  failed,
  failureOf,
  lazy,
  messageOf,
  parseOk,
  readRecords,
  recognized,
  refusal,
  refused,
  toListed,
  UNAVAILABLE,
  unrecognized,
} from './answers.ts';
import { OTHER_FEATURE } from './capabilities.ts';
import { type HttpAnswer, type HttpCall, jsonCall } from './http.ts';

const PAGE_SIZE = 100;

/** Maximum time until a link expires, in seconds. The server silently reduces larger values to this maximum. */
const MAX_DELAY_SECONDS = 157_784_760;

/** Error message in the response to a wrong API key. */
const WRONG_KEY = 'API validation failed.';

const PROBLEMS: [RegExp, ProblemCode][] = [
  [/^Invalid longlink/, 'invalid_url'],
  [/^Invalid shortlink/, 'invalid_short_code'],
  [/already in use/, 'short_code_taken'],
];

const schemas = lazy(() => {
  // If `expiry_time` is 0, the link never expires.
  const fields = { hits: z.int(), expiry_time: z.int().check(z.gte(0)), notes: z._default(z.string(), '') };
  return {
    Config: z.object({
      version: z.string(),
      site_url: z.catch(z.nullable(z.url({ protocol: /^https?$/ })), null),
      allow_capital_letters: z.boolean(),
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
  name: 'chhoto-url',
  detect: { path: '/api/version', matches: ({ status, text }) => status === 200 && /^Chhoto URL v/.test(text ?? '') },

  async probe(context) {
    // A server in public mode returns its configuration even for a wrong key, so `whoami` checks the key first.
    const answer = await request(context, 'GET', 'whoami');
    const { status, text } = answer;
    if (status >= 500) return UNAVAILABLE;
    const service = { name: 'chhoto-url', shortBaseUrl: context.baseUrl, features: [] };
    if (status === 200 && (text === 'public' || text === 'nobody'))
      return recognized(context.service ?? service, 'refused');
    const config = isAdmin(answer) ? await request(context, 'GET', 'getconfig') : answer;
    if (config.status >= 500) return UNAVAILABLE;
    const found = isAdmin(answer) ? schemas().Config.safeParse(config.json).data : undefined;
    if (!found) return unrecognized(answer);
    const { version, site_url, allow_capital_letters: hasCapitals } = found;
    const shortBaseUrl = site_url?.replace(/\/+$/, '') ?? context.baseUrl;
    const features = hasCapitals ? [OTHER_FEATURE.capitals] : [];
    return recognized({ ...service, version, shortBaseUrl, features }, 'accepted');
  },

  create: createsOne(
    (link, context) => {
      // The server would shorten a longer duration.
      const isTooLong = secondsUntil(link.expiresAt, context.now) > MAX_DELAY_SECONDS;
      return isTooLong ? refused('expiry_too_late') : request(context, 'POST', 'new', toFields(link, context.now));
    },
    readCreated,
    read,
  ),

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
    if (answer.status !== 200 || !Array.isArray(answer.json)) throw failureFor(answer);
    const records: unknown[] = answer.json.toReversed();
    // An empty first page counts only if `whoami` shows that the server accepts the API key.
    if (records.length === 0 && (after || !isAdmin(await request(context, 'GET', 'whoami'))))
      throw failed('not_understood');
    const { links: all, unreadable } = readRecords(records, (record) => readRecord(record, context));
    const links = all.filter(({ shortCode }) => shortCode !== repeated);
    const hasMore = records.length >= PAGE_SIZE && links.length > 1;
    const lastTwo = links.slice(-2).map(({ shortCode }) => shortCode);
    return { links, unreadable, nextCursor: hasMore ? lastTwo.join(' ') : null };
  },

  async edit(link, { url, title, expiresAt }, context) {
    const before = await existing(read(link, context));
    const notes = title ? toNotes(title) : title;
    // The server ignores empty values, so an edit cannot remove a field.
    if (notes === null || notes === '' || expiresAt === null) throw failed('refused');
    const answer = await request(context, 'PUT', 'edit', {
      shortlink: link.shortCode,
      longlink: url ?? before.url,
      reset_hits: false,
      ...(notes !== undefined && { notes }),
      // In an edit, the expiry is a Unix time in seconds. In a create request, it is a duration.
      ...(expiresAt !== undefined && { expiry_time: Math.floor(Date.parse(expiresAt) / 1000) }),
    });
    if (!isDone(answer)) throw failureFor(answer);
    return existing(read(link, context));
  },

  async delete({ shortCode }, context) {
    const answer = await request(context, 'DELETE', `del/${encodeURIComponent(shortCode)}`);
    if (!isDone(answer)) throw failureFor(answer);
  },
};

function isAdmin({ status, text }: HttpAnswer): boolean {
  return status === 200 && text === 'admin';
}

function readCreated(answer: HttpAnswer, link: NewLink, context: CallContext): RequestResult | null {
  const reason = reasonOf(answer);
  if (reason !== null)
    return refusal(answer, PROBLEMS.find(([pattern]) => pattern.test(reason))?.[1], messageOf(reason));
  const created = schemas().Created.safeParse(answer.json).data;
  if (!created) return null;
  const code = created.shorturl.slice(created.shorturl.lastIndexOf('/') + 1);
  const isAsked = link.shortCode === undefined || code === link.shortCode;
  return isAsked ? { kind: 'created', shortUrl: shortUrlOf(code, context) } : null;
}

/** Converts a title to printable ASCII characters, because the server accepts no others. */
function toNotes(title: string): string {
  const ascii = title
    .normalize('NFKD')
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„«»″]/g, '"')
    .replace(/[‐‑‒–—―]/g, '-')
    .replace(/ß/g, 'ss')
    .replace(/[^ -~]+/g, (others) => (/^[\p{M}\p{Cf}]+$/u.test(others) ? '' : ' '))
    .replace(/ +/g, ' ')
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
  const { headers, ...call } = jsonCall('POST', '/api/expand', keyHeader(context));
  const answer = await context.call({
    ...call,
    headers: { ...headers, 'Content-Type': 'text/plain' },
    body: shortCode,
  });
  const found = parseOk(answer, schemas().Expanded);
  const link = found && readRecord({ ...found, shortlink: shortCode, longlink: found.longurl }, context);
  if (!link && !isAbsent(answer)) throw failureFor(answer);
  return link ?? null;
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

/** Returns the server's reason for a refusal, or null if the response is not a refusal. */
function reasonOf({ json }: HttpAnswer): string | null {
  return schemas().Refusal.safeParse(json).data?.reason ?? null;
}

function isDone({ status, json }: HttpAnswer): boolean {
  return status >= 200 && status < 300 && schemas().Done.safeParse(json).success;
}

/**
 * True if the server says that no link has the requested short code. The HTTP status is not checked, because the
 * status depends on the server's version.
 */
function isAbsent(answer: HttpAnswer): boolean {
  return /does not exist|was not found/.test(reasonOf(answer) ?? '');
}

function failureFor(answer: HttpAnswer): OperationFailed {
  const { status, text } = answer;
  const reason = reasonOf(answer);
  // Some requests are refused in plain text.
  const isKeyRefused = status === 401 && (reason ?? text) === WRONG_KEY;
  if (isKeyRefused) return failureOf(answer, { message: WRONG_KEY });
  if (reason === null || status >= 500) return failureOf(answer, null);
  return failureOf(answer, { message: messageOf(reason), problem: isAbsent(answer) ? 'gone' : 'refused' });
}

/**
 * Returns the header with the API key. It is sent even if the key is empty. Without this header, some servers respond in
 * plain text and with different status codes.
 */
function keyHeader({ apiKey }: CallContext): Record<string, string> {
  return { 'X-API-Key': apiKey };
}

function request(context: CallContext, method: HttpCall['method'], path: string, body?: object) {
  return context.call(jsonCall(method, `/api/${path}`, keyHeader(context), body));
}
