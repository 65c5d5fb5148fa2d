import { ShortUrl } from '@terse/contract/shorten';
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

/** Maximum length of a title. Sink refuses longer titles. */
const MAX_TITLE_LENGTH = 256;

/** Start of a masked password in a response. */
const MASKED_PASSWORD = '__SINK_MASKED__';

const PAGE_SIZE = 100;

/** Reasons of refusals, by the invalid field. */
const PROBLEMS = new Map<string, OwnError['code']>([
  ['url', 'invalid_url'],
  ['slug', 'invalid_short_code'],
  ['expiration', 'expired'],
]);

const schemas = lazy(() => ({
  Verified: z.object({ name: z.literal('Sink') }),
  Link: z.object({
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
  Failure: z.object({
    error: z.literal(true),
    statusCode: z.int(),
    statusMessage: z.string(),
    message: z.catch(z.optional(z.string()), undefined),
  }),
}));

type SinkLink = z.infer<ReturnType<typeof schemas>['Link']>;

/** Adapter for Sink. The API key is the site token. */
export const sinkAdapter: ServiceAdapter = {
  kind: 'sink',
  detect: {
    path: '/api/verify',
    matches: (answer) => answer.status === 401 && readError(answer)?.message === 'Unauthorized',
  },

  async probe(context) {
    const answer = await request(context, 'GET', 'verify');
    const service = { name: 'Sink', shortBaseUrl: shortBaseUrlOf(context), features: [] };
    if (parseOk(answer, schemas().Verified)) return recognized(service, 'accepted');
    const status = readError(answer) && answer.status;
    if (status !== 401 && status !== 403) return unrecognized(answer);
    return recognized(service, status === 401 ? 'refused' : 'forbidden');
  },

  create: createsOne({
    send: (link, context) => request(context, 'POST', 'link/upsert', toFields(link)),
    readCreated,
    readError,
    readTaken: read,
  }),

  read,

  /** Reads one page of the list of links, newest first. The list includes expired links. */
  async list(cursor, context) {
    const start = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await request(context, 'GET', `link/list?limit=${PAGE_SIZE}&status=all${start}`);
    const page = parseOk(answer, schemas().Page) ?? failFor(answer, readError(answer));
    const nextCursor = page.list_complete ? null : (page.cursor ?? null);
    return { ...readRecords(page.links, (record) => toLink(readLink(record), context)), nextCursor };
  },

  /** Changes a link. The link is read first, because Sink removes all properties that an edit does not contain. */
  async edit(link, { url, title, expiresAt }, context) {
    const { record } = (await query(link, context)) ?? fail('gone');
    const { password = '', id: _id, createdAt: _created, updatedAt: _updated, ...kept } = record;
    // A masked password must not be sent back. Sink then keeps the stored one. Versions before 0.2.9 mask no password,
    // and remove a password that the edit does not contain.
    const isMasked = String(password).startsWith(MASKED_PASSWORD);
    const answer = await request(context, 'PUT', 'link/edit', {
      ...kept,
      ...(password !== '' && !isMasked && { password }),
      ...(url !== undefined && { url }),
      ...(title !== undefined && { title: title?.slice(0, MAX_TITLE_LENGTH) }),
      ...(expiresAt !== undefined && { expiration: expiresAt === null ? undefined : toSeconds(expiresAt) }),
    });
    const edited = answer.status === 201 ? readSaved(answer) : null;
    return toLink(edited, context) ?? failFor(answer, readError(answer));
  },

  /** Deletes a link. Sink sends the same response whether or not the link existed. */
  async delete({ shortCode }, context) {
    const answer = await request(context, 'POST', 'link/delete', { slug: shortCode });
    if (answer.status !== 204) failFor(answer, readError(answer));
  },
};

function toFields({ url, shortCode, title, expiresAt }: NewLink): object {
  return {
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

/** Sink returns the existing link if the code is taken. It counts as created if it leads to the same URL. */
function readCreated(answer: HttpAnswer, link: NewLink): RequestResult | null {
  const saved = answer.status === 200 || answer.status === 201 ? readSaved(answer) : null;
  return saved && (createdIfAsked({ ...saved, shortCode: saved.slug }, link) ?? refused('short_code_taken'));
}

/** Reads a link, even if it has expired. */
async function read(link: LinkReference, context: CallContext): Promise<ListedLink | null> {
  const found = await query(link, context);
  return found && (toLink(found, context) ?? fail('not_understood'));
}

/** Reads the link with this code as Sink stores it. `record` contains all its fields. */
async function query({ shortCode }: LinkReference, context: CallContext) {
  const answer = await request(context, 'GET', `link/query?slug=${encodeURIComponent(shortCode)}`);
  const link = parseOk(answer, schemas().Link);
  if (!link) return absent(answer, readError(answer));
  return { ...link, record: answer.json as Record<string, unknown> };
}

/** Converts a link to the extension's own format. Sink's click counts need a separate service, so they are not read. */
function toLink(link: SinkLink | null, context: CallContext): ListedLink | null {
  if (!link) return null;
  const { slug, url, title = null, createdAt, expiration, password } = link;
  return toListed({
    shortCode: slug,
    shortUrl: `${shortBaseUrlOf(context)}/${slug}`,
    ...{ url, title, clicks: 0 },
    createdAt: createdAt * 1_000,
    expiresAt: expiration ? expiration * 1_000 : null,
    ...(Boolean(password) && { isRestricted: true }),
  });
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

/**
 * Returns the error in a response from Sink. Returns null for a success or a web page. Sink sends web pages with
 * status 200 for unknown paths.
 */
function readError({ status, json }: HttpAnswer): OwnError | null {
  const error = schemas().Failure.safeParse(json).data;
  if (!error || status < 400 || error.statusCode !== status) return null;
  // The message of a validation error is a list of issues as JSON text.
  const [, field = ''] = /"path":\s*\[\s*"(\w+)"/.exec(error.message ?? '') ?? [];
  // Status 423 means that an administrator must first migrate the links of an earlier version.
  const code = status === 423 ? 'busy' : PROBLEMS.get(field);
  return { message: field && !code ? `${error.statusMessage}: ${field}` : error.statusMessage, code };
}

/** Returns the base URL of short links. Sink builds short URLs from the address to which the request was sent. */
function shortBaseUrlOf({ baseUrl }: CallContext): string {
  return URL.parse(baseUrl)?.origin ?? baseUrl;
}
