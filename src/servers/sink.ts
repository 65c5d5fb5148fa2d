import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import {
  codeUseIn,
  deletedIn,
  EXPIRED,
  failureOf,
  foreignResult,
  isExpired,
  isSameUrl,
  lazy,
  messageOf,
  notSentResult,
  ownResult,
  recognized,
  UNAVAILABLE,
  unrecognized,
} from './answers.ts';
import { OTHER_FEATURE } from './capabilities.ts';
import { type HttpAnswer, type HttpCall, jsonCall } from './http.ts';
import { type ListedLink, MAX_LENGTH, type ServiceResult, serviceFailure } from './link-operations.ts';
import type { CallContext, NewLink, ProblemCode, RequestResult, ServiceAdapter } from './service-adapter.ts';

/** Maximum length of a title. Sink refuses longer titles. */
const MAX_TITLE_LENGTH = 256;

/** Maximum length of an `id` that an API client may choose. */
const MAX_ID_LENGTH = 26;

/** Start of a masked password in a response. */
const MASKED_PASSWORD = '__SINK_MASKED__';

const PAGE_SIZE = 100;

const PROBLEMS: Record<string, ProblemCode> = { url: 'invalid_url', slug: 'invalid_short_code', expiration: 'expired' };

const TAKEN: RequestResult = { kind: 'refused', code: 'short_code_taken', message: '' };

const schemas = lazy(() => ({
  Verified: z.object({ name: z.literal('Sink') }),
  Link: z.object({
    id: z.string().check(z.minLength(1)),
    slug: z.string().check(z.minLength(1), z.maxLength(MAX_LENGTH.shortCode)),
    url: z.string().check(z.minLength(1), z.maxLength(MAX_LENGTH.url)),
    title: z.optional(z.nullable(z.string())),
    /** `createdAt` and `expiration` are Unix times in seconds. */
    createdAt: z.int(),
    expiration: z.optional(z.nullable(z.number())),
    /** Absent or empty if the link has no password. */
    password: z.optional(z.unknown()),
  }),
  Saved: z.object({ link: z.unknown(), shortLink: ShortUrl }),
  Page: z.object({
    links: z.array(z.unknown()),
    list_complete: z.boolean(),
    cursor: z.optional(z.nullable(z.string())),
  }),
  Counters: z.object({ data: z.array(z.object({ id: z.string(), visits: z.coerce.number() })) }),
  Totals: z.object({ data: z.array(z.unknown()) }),
  Failure: z.object({
    error: z.literal(true),
    statusCode: z.int(),
    statusMessage: z.string(),
    message: z.catch(z.optional(z.string()), undefined),
  }),
  Issues: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])) })),
}));

type SinkLink = z.infer<ReturnType<typeof schemas>['Link']>;

/** Adapter for Sink. The API key is the site token. */
export const sinkAdapter: ServiceAdapter = {
  kind: 'sink',
  name: 'Sink',
  detect: {
    path: '/api/verify',
    matches: (answer) => answer.status === 401 && readFailure(answer)?.message === 'Unauthorized',
  },

  async probe(context) {
    const answer = await request(context, 'GET', 'verify');
    if (answer.status >= 500) return UNAVAILABLE;
    const isAccepted = answer.status === 200 && schemas().Verified.safeParse(answer.json).success;
    const refusal = readFailure(answer)?.status;
    if (!isAccepted && refusal !== 401 && refusal !== 403) return unrecognized(answer);
    const features = isAccepted && (await hasClicks(context)) ? [OTHER_FEATURE.clicks] : [];
    const document = { name: 'Sink', version: '', shortBaseUrl: shortBaseUrlOf(context), features };
    return recognized(document, isAccepted ? 'accepted' : refusal === 401 ? 'refused' : 'forbidden');
  },

  /** Creates the requested link. A link that an earlier attempt has already created counts as created. */
  async create({ links }, context) {
    const [link] = links as [NewLink];
    if (isExpired(link, context.now)) return notSentResult([EXPIRED]);
    const answer = await request(context, 'POST', 'link/upsert', toFields(link));
    const failure = readFailure(answer);
    if (failure) return ownResult(answer, [refusalOf(failure)]);
    const saved = answer.status === 200 || answer.status === 201 ? readSaved(answer) : null;
    if (!saved) return foreignResult(answer);
    return ownResult(answer, [isOwn(saved, link) ? { kind: 'created', shortUrl: saved.shortUrl } : TAKEN]);
  },

  async find(link, context) {
    const found = await read(link.shortCode, context);
    if ('problem' in found) return { state: 'unknown' };
    if (!found.value) return { state: 'absent' };
    const shortUrl = `${shortBaseUrlOf(context)}/${found.value.slug}`;
    return isOwn(found.value, link) ? { state: 'found', shortUrl } : { state: 'taken' };
  },

  /** Reads one page of the list of links, newest first. The list includes expired links. */
  async list(cursor, context) {
    const start = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await request(context, 'GET', `link/list?limit=${PAGE_SIZE}&status=all${start}`);
    const page = answer.status === 200 ? schemas().Page.safeParse(answer.json).data : undefined;
    if (!page) return failureFor(answer);
    const links = page.links.map(readLink).filter((link) => link !== null);
    const listed = await toListed(links, context);
    const nextCursor = page.list_complete ? null : (page.cursor ?? null);
    return { value: { links: listed, unreadable: page.links.length - listed.length, nextCursor } };
  },

  /** Changes a link. The link is read first, because Sink removes all properties that an edit does not contain. */
  async edit({ shortCode }, { url, title, expiresAt }, context) {
    const found = await read(shortCode, context);
    if ('problem' in found) return found;
    if (!found.value) return serviceFailure('gone');
    const { password = '', id: _id, createdAt: _created, updatedAt: _updated, ...kept } = found.value.record;
    // A masked password must not be sent back. Sink then keeps the stored one. Versions before 0.2.9 mask no password,
    // and remove a password that the edit does not contain.
    const isMasked = String(password).startsWith(MASKED_PASSWORD);
    const answer = await request(context, 'PUT', 'link/edit', {
      ...kept,
      ...(password !== '' && !isMasked && { password }),
      ...(url !== undefined && { url }),
      ...(title !== undefined && { title: title ?? undefined }),
      ...(expiresAt !== undefined && { expiration: expiresAt === null ? undefined : toSeconds(expiresAt) }),
    });
    const saved = answer.status === 201 ? readSaved(answer) : null;
    if (!saved) return failureFor(answer);
    const [listed] = await toListed([saved], context);
    return listed?.shortCode === found.value.slug ? { value: listed } : serviceFailure('not_understood');
  },

  /** Deletes a link. Sink sends the same response whether or not the link existed. */
  async delete({ shortCode }, context) {
    const answer = await request(context, 'POST', 'link/delete', { slug: shortCode });
    return readFailure(answer) ? failureFor(answer) : deletedIn(await read(shortCode, context));
  },

  codeUse: async (shortCode, context) => codeUseIn(await read(shortCode, context)),
};

/**
 * True if the server can read click counts. A request without an id returns one row of totals, even if there are no
 * clicks. If the server has no analytics, it returns no row.
 */
async function hasClicks(context: CallContext): Promise<boolean> {
  const answer = await request(context, 'GET', 'stats/counters');
  return (schemas().Totals.safeParse(answer.json).data?.data.length ?? 0) > 0;
}

/**
 * True if the server's link is the requested link. If the `id` matches, the URL may differ, because the link may have
 * been edited.
 */
function isOwn({ id, slug, url }: SinkLink, link: NewLink): boolean {
  const isAsked = link.shortCode === undefined || slug.toLowerCase() === link.shortCode.toLowerCase();
  return isAsked && (id === idOf(link) || isSameUrl(url, link.url));
}

function idOf({ idempotencyKey }: NewLink): string {
  return idempotencyKey.replaceAll('-', '').slice(0, MAX_ID_LENGTH);
}

function toFields(link: NewLink): object {
  const { url, shortCode, title, expiresAt } = link;
  return {
    id: idOf(link),
    url,
    ...(shortCode !== undefined && { slug: shortCode }),
    ...(title && { title: title.slice(0, MAX_TITLE_LENGTH) }),
    ...(expiresAt !== undefined && { expiration: toSeconds(expiresAt) }),
  };
}

/** Converts a time to Unix time in seconds, the format that Sink uses. */
function toSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1_000);
}

function refusalOf({ status, message, field }: SinkFailure): RequestResult {
  // Status 423 means that an administrator must first migrate the links of an earlier version.
  if (status === 423) return { kind: 'refused_for_now', code: 'busy', message, retryAfterSeconds: null };
  if (status === 429) return { kind: 'refused_for_now', code: 'throttled', message, retryAfterSeconds: null };
  if (status >= 500) return { kind: 'unclear', code: 'server_error', message };
  if (status === 401) return { kind: 'refused', code: 'unauthorized', message };
  if (status === 403) return { kind: 'refused', code: 'forbidden', message };
  const code = PROBLEMS[field] ?? 'refused';
  return { kind: 'refused', code, message: code === 'refused' && field ? `${message}: ${field}` : message };
}

/** Reads the link with this code, even if the link has expired. `record` contains all fields of the link. */
async function read(
  shortCode: string,
  context: CallContext,
): Promise<ServiceResult<(SinkLink & { record: Record<string, unknown> }) | null>> {
  const answer = await request(context, 'GET', `link/query?slug=${encodeURIComponent(shortCode)}`);
  if (readFailure(answer)?.status === 404) return { value: null };
  const link = answer.status === 200 ? readLink(answer.json) : null;
  // Most servers convert codes to lower case.
  if (link?.slug.toLowerCase() !== shortCode.toLowerCase()) return failureFor(answer);
  return { value: { ...link, record: answer.json as Record<string, unknown> } };
}

/** Converts links to the extension's own format, with their click counts. Drops links with an invalid time. */
async function toListed(links: SinkLink[], context: CallContext): Promise<ListedLink[]> {
  const counts = await readCounts(links, context);
  return links.flatMap(({ id, slug, url, title, createdAt, expiration, password }) => {
    const created = createdAt * 1_000;
    if (!isTime(created)) return [];
    // Sink accepts an expiry in milliseconds without an error, but interprets it as seconds. The result is a time in
    // the distant future.
    const expires = expiration && isTime(expiration * 1_000) ? expiration * 1_000 : null;
    return [
      {
        shortCode: slug,
        shortUrl: `${shortBaseUrlOf(context)}/${slug}`,
        url,
        title: title ? title.slice(0, MAX_LENGTH.title) : null,
        createdAt: created,
        expiresAt: expires,
        clicks: counts.get(id) ?? 0,
        ...(Boolean(password) && { isRestricted: true as const }),
      },
    ];
  });
}

/** Returns the click counts of links, by link id. Returns an empty map if the server cannot read clicks. */
async function readCounts(links: SinkLink[], context: CallContext): Promise<Map<string, number>> {
  if (!context.service?.features.includes(OTHER_FEATURE.clicks) || links.length === 0) return new Map();
  const ids = links.map(({ id }) => encodeURIComponent(id)).join(',');
  const answer = await request(context, 'GET', `stats/counters?id=${ids}`);
  const counters = answer.status === 200 ? schemas().Counters.safeParse(answer.json).data : undefined;
  return new Map(counters?.data.map(({ id, visits }) => [id, Math.max(0, Math.round(visits))]));
}

function isTime(ms: number): boolean {
  return !Number.isNaN(new Date(ms).getTime());
}

/** Sends a request to Sink's API. `path` is the part after `/api/`. */
function request({ call, apiKey }: CallContext, method: HttpCall['method'], path: string, body?: object) {
  return call(jsonCall(method, `/api/${path}`, { Authorization: `Bearer ${apiKey}` }, body));
}

function readLink(record: unknown): SinkLink | null {
  return schemas().Link.safeParse(record).data ?? null;
}

/** Reads the link in the response to a create request or an edit. */
function readSaved({ json }: HttpAnswer): (SinkLink & { shortUrl: string }) | null {
  const saved = schemas().Saved.safeParse(json).data;
  const link = saved && readLink(saved.link);
  return link ? { ...link, shortUrl: saved.shortLink } : null;
}

interface SinkFailure {
  status: number;
  message: string;
  /** Field of the request that is invalid. Empty if the error is not about a field. */
  field: string;
}

/**
 * Returns the error in a response from Sink. Returns null for a success or a web page. Sink sends web pages with
 * status 200 for unknown paths.
 */
function readFailure({ status, json }: HttpAnswer): SinkFailure | null {
  const error = schemas().Failure.safeParse(json).data;
  if (!error || status < 400 || error.statusCode !== status) return null;
  const { statusMessage, message = '' } = error;
  return { status, message: messageOf(statusMessage), field: fieldOf(message) };
}

/** Returns the name of the invalid field. The message of a validation error is a list of issues as JSON text. */
function fieldOf(message: string): string {
  try {
    const path = schemas().Issues.safeParse(JSON.parse(message)).data?.[0]?.path ?? [];
    return path.filter((part) => typeof part === 'string').at(-1) ?? '';
  } catch {
    return '';
  }
}

function failureFor(answer: HttpAnswer) {
  const error = readFailure(answer);
  return failureOf(answer, error && { message: error.field ? `${error.message}: ${error.field}` : error.message });
}

/** Returns the base URL of short links. Sink builds short URLs from the address to which the request was sent. */
function shortBaseUrlOf({ baseUrl }: CallContext): string {
  return URL.parse(baseUrl)?.origin ?? baseUrl;
}
