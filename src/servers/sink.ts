import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import type { CallContext, ListedLink, NewLink, ProblemCode, RequestResult, ServiceAdapter } from './adapter.ts';
import {
  codeUseIn,
  createsOne,
  deletedIn,
  editedIn,
  existing,
  failureOf,
  isSameUrl,
  lazy,
  messageOf,
  parseOk,
  type ReadLink,
  readRecords,
  recognized,
  refused,
  serverError,
  throttled,
  toListed,
  UNAVAILABLE,
  unrecognized,
} from './answers.ts';
import { OTHER_FEATURE } from './capabilities.ts';
import { type HttpAnswer, type HttpCall, jsonCall } from './http.ts';

/** Maximum length of a title. Sink refuses longer titles. */
const MAX_TITLE_LENGTH = 256;

/** Maximum length of an `id` that an API client may choose. */
const MAX_ID_LENGTH = 26;

/** Start of a masked password in a response. */
const MASKED_PASSWORD = '__SINK_MASKED__';

const PAGE_SIZE = 100;

const PROBLEMS: Record<string, ProblemCode> = { url: 'invalid_url', slug: 'invalid_short_code', expiration: 'expired' };

const schemas = lazy(() => ({
  Verified: z.object({ name: z.literal('Sink') }),
  Link: z.object({
    id: z.string().check(z.minLength(1)),
    slug: z.string(),
    url: z.string(),
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
    const isAccepted = parseOk(answer, schemas().Verified) !== undefined;
    const refusal = readFailure(answer)?.status;
    if (!isAccepted && refusal !== 401 && refusal !== 403) return unrecognized(answer);
    const features = isAccepted && (await hasClicks(context)) ? [OTHER_FEATURE.clicks] : [];
    const document = { name: 'Sink', version: '', shortBaseUrl: shortBaseUrlOf(context), features };
    return recognized(document, isAccepted ? 'accepted' : refusal === 401 ? 'refused' : 'forbidden');
  },

  create: createsOne((link, context) => request(context, 'POST', 'link/upsert', toFields(link)), readCreated),

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
    const page = parseOk(answer, schemas().Page);
    if (!page) return failureFor(answer);
    const links = await withClicks(readRecords(page.links, readLink).links, context);
    const nextCursor = page.list_complete ? null : (page.cursor ?? null);
    return { value: { links, unreadable: page.links.length - links.length, nextCursor } };
  },

  /** Changes a link. The link is read first, because Sink removes all properties that an edit does not contain. */
  async edit(reference, { url, title, expiresAt }, context) {
    const found = existing(await read(reference.shortCode, context));
    if ('problem' in found) return found;
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
    const [edited] = await withClicks([saved], context);
    return editedIn(edited, { ...reference, shortCode: found.value.slug });
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

function idOf({ idempotencyKey }: NewLink): string {
  return idempotencyKey.replaceAll('-', '').slice(0, MAX_ID_LENGTH);
}

/** Converts a time to Unix time in seconds, the format that Sink uses. */
function toSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1_000);
}

/** A link that an earlier attempt has already created counts as created. */
async function readCreated(answer: HttpAnswer, link: NewLink): Promise<RequestResult | null> {
  const failure = readFailure(answer);
  if (failure) return refusalOf(failure, answer);
  const saved = answer.status === 200 || answer.status === 201 ? readSaved(answer) : null;
  if (!saved) return null;
  return isOwn(saved, link) ? { kind: 'created', shortUrl: saved.shortUrl } : refused('short_code_taken');
}

/**
 * True if the server's link is the requested link. If the `id` matches, the URL may differ, because the link may have
 * been edited.
 */
function isOwn({ id, slug, url }: SinkLink, link: NewLink): boolean {
  const isAsked = link.shortCode === undefined || slug.toLowerCase() === link.shortCode.toLowerCase();
  return isAsked && (id === idOf(link) || isSameUrl(url, link.url));
}

function refusalOf({ status, message, field }: SinkFailure, answer: HttpAnswer): RequestResult {
  // Status 423 means that an administrator must first migrate the links of an earlier version.
  if (status === 423) return { kind: 'refused_for_now', code: 'busy', message, retryAfterSeconds: null };
  if (status === 429) return throttled(answer, message);
  if (status >= 500) return serverError(message);
  if (status === 401) return refused('unauthorized', message);
  if (status === 403) return refused('forbidden', message);
  const code = PROBLEMS[field] ?? 'refused';
  return refused(code, code === 'refused' && field ? `${message}: ${field}` : message);
}

/** Reads the link with this code, even if the link has expired. `record` contains all fields of the link. */
async function read(
  shortCode: string,
  context: CallContext,
): Promise<ReadLink<SinkLink & { record: Record<string, unknown> }>> {
  const answer = await request(context, 'GET', `link/query?slug=${encodeURIComponent(shortCode)}`);
  if (readFailure(answer)?.status === 404) return { value: null };
  const link = parseOk(answer, schemas().Link);
  // Most servers convert codes to lower case.
  if (link?.slug.toLowerCase() !== shortCode.toLowerCase()) return failureFor(answer);
  return { value: { ...link, record: answer.json as Record<string, unknown> } };
}

/** Converts links to the extension's own format, with their click counts. Drops invalid links. */
async function withClicks(links: SinkLink[], context: CallContext): Promise<ListedLink[]> {
  const counts = await readCounts(links, context);
  return links.flatMap(({ id, slug, url, title = null, createdAt, expiration, password }) => {
    const listed = toListed({
      shortCode: slug,
      shortUrl: `${shortBaseUrlOf(context)}/${slug}`,
      ...{ url, title },
      createdAt: createdAt * 1_000,
      expiresAt: expiration ? expiration * 1_000 : null,
      clicks: counts.get(id) ?? 0,
      ...(Boolean(password) && { isRestricted: true }),
    });
    return listed ?? [];
  });
}

/** Returns the click counts of links, by link id. Returns an empty map if the server cannot read clicks. */
async function readCounts(links: SinkLink[], context: CallContext): Promise<Map<string, number>> {
  if (!context.service?.features.includes(OTHER_FEATURE.clicks) || links.length === 0) return new Map();
  const ids = links.map(({ id }) => encodeURIComponent(id)).join(',');
  const counters = parseOk(await request(context, 'GET', `stats/counters?id=${ids}`), schemas().Counters);
  return new Map(counters?.data.map(({ id, visits }) => [id, Math.max(0, Math.round(visits))]));
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
