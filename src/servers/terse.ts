import { KeyLimits } from '@terse/contract/api-key';
import { ErrorBody, INVALID_URL_MESSAGE } from '@terse/contract/errors';
import { HEADER, readLimit } from '@terse/contract/http-headers';
import { FEATURE, ServiceDocument } from '@terse/contract/service-capabilities';
import { ShortUrl } from '@terse/contract/shorten';
import * as z from 'zod/mini';
import {
  foreignResult,
  gatewayError,
  isSameUrl,
  lazy,
  messageOf,
  NOT_REPORTED,
  NOT_UNDERSTOOD,
  UNAVAILABLE,
} from './answers.ts';
import { type Call, type HttpAnswer, jsonCall, NoAnswer, readReported } from './http.ts';
import type {
  AttemptResult,
  CallContext,
  CreateRequest,
  Found,
  NewLink,
  Probe,
  ProblemCode,
  RequestResult,
  ServiceAdapter,
} from './service-adapter.ts';
import { linkPath, request, terseLinks } from './terse-links.ts';

/** Permission that an API key needs to create links. */
const CREATE_SCOPE = 'create';

/** Status codes which show that the server refused a whole batch without processing its items. */
const REFUSED_AS_WHOLE = [400, 413, 415, 422];

/** Problems with the API key or the server's address. They affect every request to the server. */
const ABOUT_CONNECTION: ProblemCode[] = ['unauthorized', 'forbidden', 'not_a_service', 'redirected'];

/** Error codes of permanent failures for which the extension has a specific message. */
const KNOWN = new Map<string | undefined, ProblemCode>([
  ['short_code_taken', 'short_code_taken'],
  ['invalid_short_code', 'invalid_short_code'],
  ['target_refused', 'target_refused'],
  ['invalid_expiry', 'expired'],
]);

const schemas = lazy(() => {
  const Created = z.object({ shortUrl: ShortUrl });
  const Item = z.union([
    z.object({ index: z.int(), status: z.literal(201), link: Created }),
    z.object({ index: z.int(), status: z.int(), error: z.string(), code: z.string() }),
  ]);
  const Found = z.object({ shortCode: z.string(), shortUrl: ShortUrl, url: z.string() });
  return { Created, Batch: z.object({ results: z.array(Item) }), Found };
});

/**
 * Adapter for servers with our API. A server's service document lists the optional features that the server supports.
 */
export const terseAdapter: ServiceAdapter = {
  kind: 'terse',
  name: 'Terse',
  detect: {
    path: '/api',
    matches: ({ status, json }) => status === 200 && ServiceDocument.safeParse(json).success,
  },
  probe,
  create,
  find,
  ...terseLinks,
};

/**
 * Adapter for servers that implement only the required endpoints of the API specification. These servers have no
 * optional features.
 */
export const specificationAdapter: ServiceAdapter = {
  ...terseAdapter,
  kind: 'specification',
  name: 'any other server',
  detect: null,
};

/**
 * Checks whether the server is reachable. Also reads its features, its time and the limits of the API key. Only the
 * request for `/api/v1/key` contains the API key.
 */
async function probe({ call, apiKey, service: known }: CallContext): Promise<Probe> {
  const answer = await unlessRefused(call(jsonCall('GET', '/api')), ['redirected', 'timeout']);
  if (answer && answer.status >= 500) return UNAVAILABLE;
  const document = (answer && isOk(answer) && ServiceDocument.safeParse(answer.json).data) || null;
  const service = document ?? known;
  if (!service?.features.includes(FEATURE.key)) {
    // A redirect, a timeout or a web page does not show whether the server is reachable, so another endpoint is checked.
    const isUnclear = !answer || (isOk(answer) && !isJson(answer));
    if (!document && isUnclear) return probeEndpoint(call, answer);
    return { reached: true, document, key: null, ...NOT_REPORTED };
  }
  const authorization = { [HEADER.authorization]: `Bearer ${apiKey}` };
  const found = await unlessRefused(call(jsonCall('GET', '/api/v1/key', authorization)), ['redirected']);
  if (!found) {
    if (!document) return { reached: false, problem: 'redirected' };
    return { reached: true, document, key: null, ...NOT_REPORTED };
  }
  // Unlike `/api`, `/api/v1/key` needs the server's database, so its response also shows whether a POST can succeed.
  if (found.status >= 500) return UNAVAILABLE;
  const key = readKey(found);
  // If neither response comes from the server itself, a gateway in front of it responded.
  return document || key.isOwn ? { reached: true, document, ...key.found } : UNAVAILABLE;
}

/** Returns the response, or null if the request failed for one of these reasons. */
function unlessRefused(answer: Promise<HttpAnswer>, reasons: NoAnswer['code'][]): Promise<HttpAnswer | null> {
  return answer.catch((error: unknown) => {
    if (error instanceof NoAnswer && reasons.includes(error.code)) return null;
    throw error;
  });
}

/**
 * Checks a server that does not list its features at `/api`. A working server responds to a GET request for
 * `/api/shorten` with an error, not with a web page.
 *
 * @param page web page that `/api` returned, if any
 */
async function probeEndpoint(call: Call, page: HttpAnswer | null): Promise<Probe> {
  const answer = await call(jsonCall('GET', '/api/shorten'));
  if (answer.status >= 500) return UNAVAILABLE;
  const isPage = page !== null && isOk(answer) && !isJson(answer);
  return { reached: true, document: null, key: null, ...NOT_REPORTED, ...(isPage && { isPage }) };
}

function isOk({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

function isJson({ json }: HttpAnswer): boolean {
  return typeof json === 'object' && json !== null;
}

/**
 * Reads the response for `/api/v1/key`. The key's limits are in its body, because the headers contain only the limits
 * for reads. `isOwn` is false if the response may come from a gateway instead of the server.
 */
function readKey(answer: HttpAnswer) {
  const { status, json } = answer;
  const isOwnError = !isOk(answer) && isErrorBody(json);
  // A 401 or 403 without the API's error format comes from a gateway, not from the server.
  if (isOwnError && (status === 401 || status === 403))
    return { found: { key: 'refused' as const, ...NOT_REPORTED }, isOwn: true };
  const parsed = isOk(answer) ? KeyLimits.safeParse(json) : null;
  if (!parsed?.success) return { found: { key: null, ...NOT_REPORTED }, isOwn: isOwnError };
  const { throttle, quota, scopes } = parsed.data;
  if (scopes && !scopes.includes(CREATE_SCOPE))
    return { found: { key: 'forbidden' as const, ...NOT_REPORTED }, isOwn: true };
  const reported = { throttle: readLimit(throttle), quota: readLimit(quota) };
  return { found: { key: parsed.data, limits: reported }, isOwn: true };
}

/** Sends the POST request that creates the links of an attempt. */
async function create(attempt: CreateRequest, { call, apiKey }: CallContext): Promise<AttemptResult> {
  const { path, body, idempotencyKey } = attempt;
  const headers = {
    [HEADER.authorization]: `Bearer ${apiKey}`,
    'Content-Type': 'application/json',
    [HEADER.idempotencyKey]: idempotencyKey,
  };
  return readCreateAnswer(await call({ method: 'POST', path, headers, body }), attempt);
}

/** Reads the link with this short code. The request does not count against the quota. */
async function find({ shortCode, url }: NewLink & { shortCode: string }, context: CallContext): Promise<Found> {
  const answer = await request(context, 'GET', linkPath('urls', shortCode, context.domain));
  const link = isOk(answer) ? schemas().Found.safeParse(answer.json).data : undefined;
  if (link?.shortCode !== shortCode) return { state: 'unknown' };
  return isSameUrl(link.url, url) ? { state: 'found', shortUrl: link.shortUrl } : { state: 'taken' };
}

/** Converts a response to one result for each request in the attempt. */
function readCreateAnswer(answer: HttpAnswer, { path, requestIds }: CreateRequest): AttemptResult {
  const { status, json } = answer;
  const reported = readReported(answer);
  const isBatch = path === '/api/v1/urls/batch';
  const isOwnError = isErrorBody(json);
  if (answer.brokenBy) return foreignResult(answer, requestIds.length);
  if (!isOk(answer)) {
    // The limits in a gateway's error belong to the gateway. They are not the quota of the API key.
    const item = readError(status, json, answer, isOwnError && reported.limits.quota?.remaining === 0);
    return {
      items: requestIds.map(() => item),
      answered: isOwnError,
      conclusive: item.kind === 'refused',
      refusedAsWhole: isBatch && REFUSED_AS_WHOLE.includes(status),
      ...(isOwnError ? reported : NOT_REPORTED),
    };
  }
  const items = isBatch ? readBatch(answer, requestIds) : readCreated(json);
  if (!items) return foreignResult(answer, requestIds.length);
  return { items, answered: true, conclusive: true, refusedAsWhole: false, ...reported };
}

/** Reads the response of `POST /api/shorten` or `POST /api/v1/urls`. Returns null if it contains no short URL. */
function readCreated(json: unknown): RequestResult[] | null {
  const created = schemas().Created.safeParse(json).data;
  return created ? [{ kind: 'created', shortUrl: created.shortUrl }] : null;
}

function readBatch(answer: HttpAnswer, requestIds: string[]): RequestResult[] | null {
  const batch = schemas().Batch.safeParse(answer.json).data;
  if (!batch) return null;
  const isQuotaSpent = readReported(answer).limits.quota?.remaining === 0;
  const results = new Map(batch.results.map((result) => [result.index, result]));
  return requestIds.map((_, index): RequestResult => {
    const result = results.get(index);
    if (!result) return NOT_UNDERSTOOD;
    if ('link' in result) return { kind: 'created', shortUrl: result.link.shortUrl };
    const item = readError(result.status, result, answer, isQuotaSpent);
    // The API key and the address cannot be the reason, because the server accepted the batch itself.
    const isAboutItem = item.kind !== 'refused' || !ABOUT_CONNECTION.includes(item.code);
    return isAboutItem ? item : { ...item, code: 'refused' };
  });
}

/**
 * Converts an error to a result. JSON with an `error` field comes from the server. Any other body comes from a gateway
 * in front of the server. Error codes are optional in the API. If the error has no code, its HTTP status decides.
 */
function readError(
  status: number,
  body: unknown,
  { retryAfterSeconds }: HttpAnswer,
  isQuotaSpent: boolean,
): RequestResult {
  const parsed = ErrorBody.safeParse(body).data;
  const code = parsed?.code;
  const message = messageOf(parsed?.error);
  if (status === 429) {
    const isQuota = code === 'quota_exceeded' || (code !== 'throttled' && isQuotaSpent);
    return { kind: 'refused_for_now', code: isQuota ? 'quota_exceeded' : 'throttled', message, retryAfterSeconds };
  }
  if (!parsed) return gatewayError(status);
  const known = KNOWN.get(code);
  if (status < 500 && (code === 'invalid_url' || (!known && message === INVALID_URL_MESSAGE))) {
    return { kind: 'refused', code: 'invalid_url', message };
  }
  const isBusy = status === 503 || status === 408 || status === 425 || code === 'request_in_flight';
  if (isBusy) return { kind: 'refused_for_now', code: 'busy', message, retryAfterSeconds };
  if (status >= 500) return { kind: 'unclear', code: 'server_error', message };
  if (status === 403 && code === 'forbidden') return { kind: 'refused', code: 'forbidden', message };
  // Without an error code, a 403 may refuse the URL or the API key, so the API key is assumed.
  const isAboutKey = status === 401 || (status === 403 && (code === undefined || code === 'unauthorized'));
  if (isAboutKey) return { kind: 'refused', code: 'unauthorized', message };
  if (status === 404 || status === 405) return { kind: 'refused', code: 'not_a_service', message };
  // The API's general message for invalid URLs is not shown, because the error code is more specific.
  return { kind: 'refused', code: known ?? 'refused', message: message === INVALID_URL_MESSAGE ? '' : message };
}

/** True if a response body is an error from the server itself, not from a gateway. */
function isErrorBody(body: unknown): boolean {
  return ErrorBody.safeParse(body).success;
}
