import { KeyLimits } from '@terse/contract/api-key';
import { HEADER, readLimit } from '@terse/contract/http-headers';
import { FEATURE, ServiceDocument } from '@terse/contract/service-capabilities';
import { type Exchange, type HttpAnswer, type HttpCall, NoAnswer } from '../http-request-types.ts';
import { NOT_REPORTED } from '../response-to-result.ts';
import type { Probe, ServiceContext } from '../service-adapter.ts';
import { isErrorBody } from './error-response.ts';

/** Permission that an API key needs to create links. */
const CREATE_SCOPE = 'create';

/**
 * Checks whether a server with the Terse API is reachable. Also reads its features, its time and the limits of the
 * API key. Only the request for `/api/v1/key` contains the API key.
 */
export function* probeTerse({ apiKey, service: known }: ServiceContext): Exchange<Probe> {
  const answer = yield* readDocument();
  const hasKeyDocument = known?.features.includes(FEATURE.key) ?? false;
  // A redirect or a timeout for `/api` does not prove that the server is unreachable, so another endpoint is checked.
  if (!answer) return yield* hasKeyDocument ? byKey(apiKey) : withoutDocument();
  const { status, json, date } = answer;
  // If the server is down, the gateway in front of it may return any 5xx status.
  if (status >= 500) return { reached: false, problem: 'unavailable' };
  const isSuccess = isOk(answer);
  const document = (isSuccess && ServiceDocument.safeParse(json).data) || null;
  if (!document && hasKeyDocument) return yield* byKey(apiKey);
  if (!document && isSuccess && !isJson(json)) return yield* withoutDocument(date);
  if (!document?.features.includes(FEATURE.key)) {
    return { reached: true, document, key: null, date, limits: NOT_REPORTED.limits };
  }
  const found = yield* readKeyDocument(apiKey);
  // `found` is null if the request for `/api/v1/key` was redirected.
  if (!found) return { reached: true, document, key: null, ...NOT_REPORTED };
  // Unlike `/api`, `/api/v1/key` needs the server's database, so its response also shows whether a POST can succeed.
  if (found.status >= 500) return { reached: false, problem: 'unavailable' };
  return { reached: true, document, ...readKey(found).found };
}

/** Reads `/api`. Returns null if the response is a redirect or takes too long. */
function* readDocument(): Exchange<HttpAnswer | null> {
  try {
    return yield get('/api');
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    // The status and headers arrived before the connection broke.
    if (error.head) return error.head;
    if (error.code === 'no_answer') throw error;
    return null;
  }
}

/** Reads `/api/v1/key`, which describes the API key. Returns null if the request is redirected. */
function* readKeyDocument(apiKey: string): Exchange<HttpAnswer | null> {
  try {
    return yield get('/api/v1/key', { [HEADER.authorization]: `Bearer ${apiKey}` });
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    // If the connection breaks while the server sends a 5xx response, the status still shows that the server is
    // unavailable.
    if (error.head && error.head.status >= 500) return error.head;
    if (error.code === 'redirected') return null;
    throw error;
  }
}

/**
 * Checks a server that no longer returns its service document. If the response for `/api/v1/key` comes from a
 * gateway, the server counts as unavailable.
 */
function* byKey(apiKey: string): Exchange<Probe> {
  const answer = yield* readKeyDocument(apiKey);
  if (!answer) return { reached: false, problem: 'redirected' };
  if (answer.status >= 500) return { reached: false, problem: 'unavailable' };
  const { found, isOwn } = readKey(answer);
  return isOwn ? { reached: true, document: null, ...found } : { reached: false, problem: 'unavailable' };
}

/**
 * Checks a server that does not list its features at `/api`. A working server responds to a GET request for
 * `/api/shorten` with an error, not with a web page.
 *
 * @param date server time if `/api` returned a web page. Null if that response contained no time.
 */
function* withoutDocument(date?: number | null): Exchange<Probe> {
  const answer = yield* readEndpoint(date === undefined);
  if (answer.status >= 500) return { reached: false, problem: 'unavailable' };
  const isPage = date !== undefined && isOk(answer) && !isJson(answer.json);
  return {
    reached: true,
    document: null,
    key: null,
    date: date ?? answer.date,
    limits: NOT_REPORTED.limits,
    ...(isPage && { isPage }),
  };
}

function* readEndpoint(ignoresBody: boolean): Exchange<HttpAnswer> {
  try {
    return yield { ...get('/api/shorten'), ignoresBody };
  } catch (error) {
    if (error instanceof NoAnswer && error.head) return error.head;
    throw error;
  }
}

function get(path: string, headers: Record<string, string> = {}): HttpCall {
  return { method: 'GET', path, headers: { Accept: 'application/json', ...headers } };
}

function isOk({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

function isJson(body: unknown): boolean {
  return typeof body === 'object' && body !== null;
}

type FoundKey = Pick<Probe & { reached: true }, 'key' | 'date' | 'limits'>;

/**
 * Reads the response for `/api/v1/key`. The key's limits are in its body, because the headers contain only the limits
 * for reads. `isOwn` is false if the response may come from a gateway instead of the server.
 */
function readKey(answer: HttpAnswer): { found: FoundKey; isOwn: boolean } {
  const { status, json, date } = answer;
  const without = (key: FoundKey['key']): FoundKey => ({ key, date, limits: NOT_REPORTED.limits });
  const isOwnError = !isOk(answer) && isErrorBody(json);
  // A 401 or 403 without the API's error format comes from a gateway, not from the server.
  if (isOwnError && (status === 401 || status === 403)) return { found: without('refused'), isOwn: true };
  const parsed = isOk(answer) ? KeyLimits.safeParse(json) : null;
  if (!parsed?.success) return { found: without(null), isOwn: isOwnError };
  const { throttle, quota, scopes } = parsed.data;
  if (scopes && !scopes.includes(CREATE_SCOPE)) return { found: without('forbidden'), isOwn: true };
  const limits = { throttle: readLimit(throttle), quota: readLimit(quota) };
  return { found: { key: parsed.data, date, limits }, isOwn: true };
}
