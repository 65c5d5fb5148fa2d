import { Analytics } from '@terse/contract/analytics';
import { KeyLimits } from '@terse/contract/api-key';
import { ErrorBody, INVALID_URL_MESSAGE, ownErrorCode } from '@terse/contract/errors';
import { HEADER, parseRateLimit, readLimit } from '@terse/contract/http-headers';
import { Link, PAGE_LIMIT } from '@terse/contract/links';
import { FEATURE, ServiceDocument } from '@terse/contract/service-capabilities';
import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import {
  type AttemptResult,
  type CallContext,
  type CreateRequest,
  type LinkReference,
  type ListedLink,
  MAX_LENGTH,
  OperationFailed,
  type ProbeReport,
  type ProblemCode,
  type RequestResult,
  type ServiceAdapter,
  type ServiceProblem,
} from './adapter.ts';
import {
  attemptResult,
  failFor,
  gatewayResult,
  messageOf,
  NO_LIMITS,
  NOT_UNDERSTOOD,
  type OwnError,
  readRecords,
  refused,
  serverError,
  settleTaken,
  toListed,
} from './answers.ts';
import { type HttpAnswer, type HttpCall, jsonCall, lazy, NoAnswer } from './http.ts';

/** Permission that an API key needs to create links. */
const CREATE_SCOPE = 'create';

/** Status codes which show that the server refused a whole batch without processing its items. */
const REFUSED_AS_WHOLE = [400, 413, 415, 422];

/** Problems with the API key or the server's address. They affect every request to the server. */
const ABOUT_CONNECTION: ProblemCode[] = ['unauthorized', 'forbidden', 'not_a_service', 'redirected'];

/** Error codes of permanent failures for which the extension has a specific message. */
const KNOWN = new Map<string | undefined, ProblemCode>([
  ['invalid_url', 'invalid_url'],
  ['short_code_taken', 'short_code_taken'],
  ['invalid_short_code', 'invalid_short_code'],
  ['target_refused', 'target_refused'],
  ['invalid_expiry', 'expired'],
]);

const schemas = lazy(() => {
  const Item = z.union([
    z.object({ index: z.int(), status: z.literal(201), link: z.object({ shortUrl: ShortUrl }) }),
    z.object({ index: z.int(), status: z.int(), error: z.string(), code: z.string() }),
  ]);
  const Cursor = z.nullable(z.string().check(z.maxLength(MAX_LENGTH.cursor)));
  const Page = z.object({ links: z.array(z.unknown()), nextCursor: Cursor });
  // A link whose expiry cannot be read is listed without an expiry.
  const Listed = z.extend(Link, { expiresAt: z.nullable(z.string()) });
  return { Batch: z.object({ results: z.array(Item) }), Listed, Page };
});

/**
 * Adapter for servers with our API. A server's service document lists the optional features that the server supports.
 */
export const terseAdapter: ServiceAdapter = {
  kind: 'terse',
  detect: null,
  probe,

  /** Sends the exact bytes that were stored, so that a repeated request is identical. */
  async create(attempt, context) {
    const { path, body, idempotencyKey } = attempt;
    const { call, apiKey } = context;
    const headers = {
      ...authorization(apiKey),
      'Content-Type': 'application/json',
      [HEADER.idempotencyKey]: idempotencyKey,
    };
    const result = readCreateAnswer(await call({ method: 'POST', path, headers, body }), attempt);
    const read = (link: LinkReference) => readTaken(link, context);
    const settled = result.items.map((item, index) =>
      item.kind === 'refused' ? settleTaken(item, attempt.links[index], read) : item,
    );
    return { ...result, items: await Promise.all(settled) };
  },

  /** Returns null only if the server says that a new link can have the code, because it hides links of other accounts. */
  async read(link, context) {
    const answer = await request(context, 'GET', linkPath('urls', link, context));
    const isFree = answer.headers.get(HEADER.shortCodeAvailable) === 'true';
    if (isFree && ownErrorCode(answer.status, answer.json) === 'not_found') return null;
    return readOkLink(answer) ?? failFor(answer, errorOf(answer));
  },

  async list(cursor, context) {
    const domains = context.service?.domains ? '&domain=*' : '';
    const query = `limit=${PAGE_LIMIT}${domains}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const answer = await request(context, 'GET', `urls?${query}`);
    const page = isOk(answer) ? schemas().Page.safeParse(answer.json).data : undefined;
    const { links, nextCursor } = page ?? failFor(answer, errorOf(answer, 'not_a_service'));
    return { ...readRecords(links, readLink), nextCursor: nextCursor || null };
  },

  async edit(link, changes, context) {
    const answer = await request(context, 'PATCH', linkPath('urls', link, context), changes);
    return readOkLink(answer) ?? failFor(answer, errorOf(answer));
  },

  async delete(link, context) {
    const answer = await request(context, 'DELETE', linkPath('urls', link, context));
    if (answer.status !== 204) failFor(answer, errorOf(answer));
  },

  async clicks(link, context) {
    const answer = await request(context, 'GET', linkPath('analytics', link, context));
    const analytics = isOk(answer) ? Analytics.safeParse(answer.json).data : undefined;
    return analytics ?? failFor(answer, errorOf(answer));
  },
};

/**
 * Checks whether the server is reachable. Also reads its features and the limits of the API key. Only the request for
 * `/api/v1/key` contains the API key. Unlike `/api`, it needs the server's database, so its response also shows whether
 * a POST can succeed.
 */
async function probe({ call, apiKey, service: known }: CallContext): Promise<ProbeReport> {
  const answer = await unlessRefused(call(jsonCall('GET', '/api')), ['redirected', 'timeout']);
  const service = (answer && isOk(answer) && ServiceDocument.safeParse(answer.json).data) || null;
  const found: ProbeReport = { service, key: 'unknown', limits: NO_LIMITS };
  if ((service ?? known)?.features.includes(FEATURE.key)) {
    const key = await unlessRefused(call(jsonCall('GET', '/api/v1/key', authorization(apiKey))), ['redirected']);
    const report = key && readKey(key);
    if (service || report) return { ...found, ...report };
    // Neither response comes from the server itself, so a gateway in front of it responded.
    throw new NoAnswer(key ? 'server_error' : 'redirected');
  }
  // A redirect, a timeout or a web page does not show whether the server is reachable, so another endpoint is checked. A
  // working server responds to this GET request with an error, not with a web page.
  if (service || (answer && !isPage(answer))) return found;
  const other = await call(jsonCall('GET', '/api/shorten'));
  return { ...found, ...(answer && isPage(other) && { isPage: true }) };
}

/** Returns the response, or null if the request failed for one of these reasons. */
function unlessRefused(answer: Promise<HttpAnswer>, reasons: NoAnswer['code'][]): Promise<HttpAnswer | null> {
  return answer.catch((error: unknown) => {
    if (error instanceof NoAnswer && reasons.includes(error.code)) return null;
    throw error;
  });
}

/** True for a success that is not JSON. */
function isPage(answer: HttpAnswer): boolean {
  return isOk(answer) && (typeof answer.json !== 'object' || answer.json === null);
}

function isOk({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

/**
 * Reads the response for `/api/v1/key`. The key's limits are in its body, because the headers contain only the limits
 * for reads. Returns null if the response may come from a gateway instead of the server.
 */
function readKey(answer: HttpAnswer): Partial<ProbeReport> | null {
  const { status, json } = answer;
  if (!isOk(answer)) {
    // A 401 or 403 without the API's error format comes from a gateway, not from the server.
    if (!ErrorBody.safeParse(json).success) return null;
    return status === 401 || status === 403 ? { key: 'refused' } : {};
  }
  const key = KeyLimits.safeParse(json).data;
  if (!key) return null;
  const { throttle, quota, scopes } = key;
  if (scopes && !scopes.includes(CREATE_SCOPE)) return { key: 'forbidden' };
  return { key: 'accepted', limits: { throttle: readLimit(throttle), quota: readLimit(quota) } };
}

/** Converts a response to one result for each request in the attempt. */
function readCreateAnswer(answer: HttpAnswer, { path, requestIds }: CreateRequest): AttemptResult {
  const { status, json, headers } = answer;
  const limits = parseRateLimit(headers.get(HEADER.rateLimitPolicy), headers.get(HEADER.rateLimit));
  const isBatch = path === '/api/v1/urls/batch';
  const isOwnError = !isOk(answer) && ErrorBody.safeParse(json).success;
  // The limits in a gateway's error belong to the gateway. They are not the quota of the API key.
  const isQuotaSpent = (isOk(answer) || isOwnError) && limits.quota?.remaining === 0;
  if (!isOk(answer)) {
    const item = readError(answer, isQuotaSpent);
    const result = attemptResult(Array(requestIds.length).fill(item), isOwnError);
    return { ...result, refusedAsWhole: isBatch && REFUSED_AS_WHOLE.includes(status), ...(isOwnError && { limits }) };
  }
  const items = isBatch ? readBatch(answer, requestIds, isQuotaSpent) : readCreated(json);
  if (!items) return attemptResult(Array(requestIds.length).fill(NOT_UNDERSTOOD), false);
  return { items, answered: true, refusedAsWhole: false, limits };
}

/** Problems with which the server has not said which link has a code. Another attempt may find out. */
const NOT_TOLD: ServiceProblem[] = ['unreachable', 'throttled', 'not_understood', 'redirected'];

/**
 * Reads the link that has a taken code. Returns null if the server does not show it. An earlier attempt may have created
 * it, and the server may have forgotten the idempotency key since.
 */
async function readTaken(link: LinkReference, context: CallContext): Promise<ListedLink | null> {
  return terseAdapter.read(link, context).catch((error: unknown) => {
    if (error instanceof OperationFailed && !NOT_TOLD.includes(error.failure.problem)) return null;
    throw error;
  });
}

/** Reads the response of `POST /api/shorten` or `POST /api/v1/urls`. Returns null if it contains no short URL. */
function readCreated(json: unknown): RequestResult[] | null {
  const { data } = ShortUrl.safeParse((json as { shortUrl?: unknown } | null | undefined)?.shortUrl);
  return data === undefined ? null : [{ kind: 'created', shortUrl: data }];
}

function readBatch(answer: HttpAnswer, requestIds: string[], isQuotaSpent: boolean): RequestResult[] | null {
  const batch = schemas().Batch.safeParse(answer.json).data;
  if (!batch) return null;
  const results = new Map(batch.results.map((result) => [result.index, result]));
  return requestIds.map((_, index): RequestResult => {
    const result = results.get(index);
    if (!result) return NOT_UNDERSTOOD;
    if ('link' in result) return { kind: 'created', shortUrl: result.link.shortUrl };
    const item = readError({ ...answer, status: result.status, json: result }, isQuotaSpent);
    // The API key and the address cannot be the reason, because the server accepted the batch itself.
    const isAboutItem = item.kind !== 'refused' || !ABOUT_CONNECTION.includes(item.code);
    return isAboutItem ? item : { ...item, code: 'refused' };
  });
}

/**
 * Converts an error to a result. JSON with an `error` field comes from the server. Any other body comes from a gateway
 * in front of the server. Error codes are optional in the API. If the error has no code, its HTTP status decides.
 */
function readError(answer: HttpAnswer, isQuotaSpent: boolean): RequestResult {
  const { status, json, retryAfterSeconds } = answer;
  const parsed = ErrorBody.safeParse(json).data;
  const code = parsed?.code;
  const message = messageOf(parsed ? { message: parsed.error } : null);
  if (status === 429) {
    const isQuota = code === 'quota_exceeded' || (code !== 'throttled' && isQuotaSpent);
    return { kind: 'refused_for_now', code: isQuota ? 'quota_exceeded' : 'throttled', message, retryAfterSeconds };
  }
  if (!parsed) return gatewayResult(answer);
  const known = KNOWN.get(code);
  const isInvalidUrl = known === 'invalid_url' || (!known && message === INVALID_URL_MESSAGE);
  if (isInvalidUrl && status < 500) return refused('invalid_url', message);
  const isBusy = status === 503 || status === 408 || status === 425 || code === 'request_in_flight';
  if (isBusy) return { kind: 'refused_for_now', code: 'busy', message, retryAfterSeconds };
  if (status >= 500) return serverError(message);
  if (status === 403 && code === 'forbidden') return refused('forbidden', message);
  // Without an error code, a 403 may refuse the URL or the API key, so the API key is assumed.
  const isAboutKey = status === 401 || (status === 403 && (code === undefined || code === 'unauthorized'));
  if (isAboutKey) return refused('unauthorized', message);
  if (status === 404 || status === 405) return refused('not_a_service', message);
  // The API's general message for invalid URLs is not shown, because the error code is more specific.
  return refused(known ?? 'refused', message === INVALID_URL_MESSAGE ? '' : message);
}

/**
 * Returns the path of a link. The path contains the link's domain, unless this is the default domain or unknown. Short
 * codes are URL-encoded, because codes of imported links may contain slashes.
 */
function linkPath(
  resource: 'urls' | 'analytics',
  { shortCode, shortUrl, domain: named }: LinkReference,
  { service }: CallContext,
): string {
  const [, ...others] = service?.domains ?? [];
  const domain = shortUrl ? others.find(({ shortBaseUrl }) => shortUrl.startsWith(`${shortBaseUrl}/`))?.name : named;
  return `${resource}/${encodeURIComponent(shortCode)}${domain ? `?domain=${encodeURIComponent(domain)}` : ''}`;
}

/** Sends a request about existing links. */
function request({ call, apiKey }: CallContext, method: HttpCall['method'], path: string, body?: object) {
  return call(jsonCall(method, `/api/v1/${path}`, authorization(apiKey), body));
}

function authorization(apiKey: string): Record<string, string> {
  return { [HEADER.authorization]: `Bearer ${apiKey}` };
}

/**
 * Returns the error in a response about existing links, or null if it may come from a gateway. A 404 or 410 counts as the
 * server's own answer only with the error code of the API.
 *
 * @param ifMissing meaning of a 404, if it does not mean that the link is missing
 */
function errorOf(answer: HttpAnswer, ifMissing?: OwnError['code']): OwnError | null {
  const { status, json } = answer;
  const error = isOk(answer) ? undefined : ErrorBody.safeParse(json).data;
  const isForeign = (status === 404 || status === 410) && ownErrorCode(status, json) === null;
  if (!error || isForeign) return null;
  const byStatus: Record<number, OwnError['code']> = { 404: ifMissing, 405: 'not_a_service', 410: 'gone' };
  return { message: error.error, code: byStatus[status] ?? KNOWN.get(error.code) };
}

function readOkLink(answer: HttpAnswer): ListedLink | null {
  return isOk(answer) ? readLink(answer.json) : null;
}

function readLink(record: unknown): ListedLink | null {
  const link = schemas().Listed.safeParse(record).data;
  if (!link) return null;
  const { shortCode, shortUrl, url, title, createdAt, expiresAt, clicks, tags } = link;
  return toListed({
    ...{ shortCode, shortUrl, url, title, clicks },
    createdAt: Date.parse(createdAt),
    expiresAt: expiresAt === null ? null : Date.parse(expiresAt),
    ...(tags && { tags }),
  });
}
