import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import type { CallContext, LinkReference, ListedLink, NewLink, RequestResult, ServiceAdapter } from './adapter.ts';
import {
  absent,
  baseOf,
  createsOne,
  fail,
  failFor,
  isSameUrl,
  type OwnError,
  readRecords,
  recognized,
  refused,
  storedForm,
  toListed,
  unrecognized,
} from './answers.ts';
import { YOURLS_CODE } from './capabilities.ts';
import { type HttpAnswer, lazy, parseOk } from './http.ts';

const VERSION_PATH = '/yourls-api.php?action=version&format=json';

const PAGE_SIZE = 100;

/** Reasons of refusals, by YOURLS' own code. */
const PROBLEMS = new Map<string, OwnError['code']>([
  ['error:nourl', 'invalid_url'],
  ['error:noloop', 'target_refused'],
  // YOURLS also refuses reserved codes in this way.
  ['error:keyword', 'short_code_taken'],
]);

const schemas = lazy(() => {
  /** Status of the response as a number or as text. Empty if there is none. */
  const Status = z._default(z.coerce.number(), 0);
  return {
    Version: z.object({ version: z.string().check(z.maxLength(50)) }),
    // Many other servers return a version together with other data.
    OnlyVersion: z.strictObject({ version: z.string().check(z.regex(/^\d+\.\d+/)) }),
    // Response to a request without a valid signature. Other servers send errors with the same status, but without a
    // `callback` property.
    LoginNeeded: z.object({ callback: z.string() }),
    // Response to a create request. It contains the new link, or the existing link for the same URL.
    Made: z.object({ code: z.optional(z.string()), shorturl: ShortUrl, url: z.object({ url: z.string() }) }),
    Row: z.object({
      shorturl: z.string(),
      url: z.string(),
      title: z.optional(z.nullable(z.string())),
      timestamp: z.string(),
      // Some versions of PHP send numbers as text.
      clicks: z.coerce.number().check(z.int(), z.gte(0)),
    }),
    // `links` is absent on an empty page.
    Page: z.object({
      links: z._default(z.record(z.string(), z.unknown()), {}),
      stats: z.object({ total_links: z.coerce.number() }),
    }),
    Stats: z.object({ link: z.unknown() }),
    Failure: z.object({
      code: z._default(z.string(), ''),
      message: z.string(),
      errorCode: Status,
      statusCode: Status,
    }),
  };
});

/** Adapter for YOURLS. The API key is the user's signature token. The links of all users are visible. */
export const yourlsAdapter: ServiceAdapter = {
  kind: 'yourls',
  // Private servers ask for a login; public servers return their version.
  detect: {
    path: VERSION_PATH,
    matches: (answer) => isLoginNeeded(answer) || parseOk(answer, schemas().OnlyVersion) !== undefined,
  },

  async probe(context) {
    const answer = await request(context, 'version');
    const found = parseOk(answer, schemas().Version);
    if (!found) {
      const service = { name: 'YOURLS', shortBaseUrl: '', features: [] };
      return isLoginNeeded(answer) ? recognized(service, 'refused') : unrecognized(answer);
    }
    const page = readPage(await request(context, 'stats', { filter: 'last', limit: '1' }));
    const service = { name: 'YOURLS', version: found.version, shortBaseUrl: baseOf(page?.links[0]), features: [] };
    return recognized(service, 'accepted');
  },

  create: createsOne({
    send: (link, context) => {
      // YOURLS would remove all invalid characters and create a link with a different code.
      if (link.shortCode !== undefined && !YOURLS_CODE.test(link.shortCode)) return refused('invalid_short_code');
      return request(context, 'shorturl', {
        url: storedForm(link.url),
        // If there is no title, the server first opens the page to read one, which takes seconds.
        title: link.title || URL.parse(link.url)?.host || link.url,
        ...(link.shortCode !== undefined && { keyword: link.shortCode }),
      });
    },
    readCreated,
    readError,
    readTaken: read,
  }),

  read,

  /** Reads one page of links, newest first. The cursor is an offset. */
  async list(cursor, context) {
    const start = Number(cursor) || 0;
    const options = { filter: 'last', limit: String(PAGE_SIZE), start: String(start) };
    const answer = await request(context, 'stats', options);
    const { links, unreadable, total } = readPage(answer) ?? failFor(answer, readError(answer));
    const count = links.length + unreadable;
    const nextCursor = count > 0 && start + count < total ? String(start + count) : null;
    return { links, unreadable, nextCursor, total };
  },

  // YOURLS itself cannot change or delete links through its API.
  edit: async () => fail('refused'),
  delete: async () => fail('refused'),
};

function isLoginNeeded(answer: HttpAnswer): boolean {
  return answer.status === 403 && readError(answer) !== null && schemas().LoginNeeded.safeParse(answer.json).success;
}

/** YOURLS returns the existing link if the URL already has one, so this link counts as created. */
function readCreated({ status, json }: HttpAnswer, link: NewLink): RequestResult | null {
  const made = schemas().Made.safeParse(json).data;
  if (!made || (status !== 200 && made.code !== 'error:url')) return null;
  // If YOURLS changed the URL, the link leads to another page and does not count as created.
  const isAsked = isSameUrl(made.url.url, link.url);
  return isAsked ? { kind: 'created', shortUrl: made.shorturl } : refused('target_refused');
}

function readPage(answer: HttpAnswer) {
  const page = parseOk(answer, schemas().Page);
  return page ? { ...readRecords(Object.values(page.links), readRow), total: page.stats.total_links } : null;
}

/** Reads a link, even if it belongs to another user. */
async function read({ shortCode }: LinkReference, context: CallContext): Promise<ListedLink | null> {
  const answer = await request(context, 'url-stats', { shorturl: shortCode });
  return readRow(parseOk(answer, schemas().Stats)?.link) ?? absent(answer, readError(answer));
}

/** Returns a row of the list as a link, or null if the row is not valid. */
function readRow(record: unknown): ListedLink | null {
  const row = schemas().Row.safeParse(record).data;
  if (!row) return null;
  return toListed({
    shortCode: row.shorturl.slice(row.shorturl.lastIndexOf('/') + 1),
    shortUrl: row.shorturl,
    url: row.url,
    title: row.title ?? null,
    // The timestamp is in UTC, although it does not specify a time zone.
    createdAt: Date.parse(`${row.timestamp.replace(' ', 'T')}Z`),
    expiresAt: null,
    clicks: row.clicks,
  });
}

/** Sends a request to YOURLS' API. Parameters are sent as a form, because web servers log the query. */
function request({ call, apiKey }: CallContext, action: string, parameters: Record<string, string> = {}) {
  return call({
    method: 'POST',
    path: '/yourls-api.php',
    headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ action, format: 'json', signature: apiKey, ...parameters }).toString(),
  });
}

/** Returns the error in a response. Null if the response is a success or is not from YOURLS. */
function readError({ status, json }: HttpAnswer): OwnError | null {
  const failure = status >= 400 ? schemas().Failure.safeParse(json).data : undefined;
  if (!failure || (failure.errorCode !== status && failure.statusCode !== status)) return null;
  const { message } = failure;
  if (failure.code === 'error:concurrency' && message.includes('Data too long'))
    return { message, code: message.includes("'keyword'") ? 'invalid_short_code' : 'invalid_url' };
  const isKeyRefused = failure.code === '' && status === 403;
  return { message, code: isKeyRefused ? 'unauthorized' : PROBLEMS.get(failure.code) };
}
