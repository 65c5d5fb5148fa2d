import { KeyLimits } from '@terse/contract/api-key';
import { HEADER, type Limits, readLimit } from '@terse/contract/http-headers';
import { FEATURE, ServiceDocument } from '@terse/contract/service-capabilities';
import { FETCH_DEFAULTS, isRedirect, isTimeout, readJson, readReported } from '../http-client.ts';
import type { Fetch, ProbeResult, ServiceInfo } from '../service-adapter.ts';
import { isErrorBody } from './error-response.ts';

/** Permission that an API key needs to create links. */
const CREATE_SCOPE = 'create';

/**
 * Time limit of each request in a health check, in milliseconds. It is short, because the user or the queue waits for
 * the result.
 */
const PROBE_TIMEOUT_MS = 10_000;

const NOT_REPORTED: Limits = { throttle: null, quota: null };

/**
 * Result of a health check. The check costs no quota, because it sends only GET requests. It sends the API key only
 * to `/api/v1/key`.
 */
export type Probe =
  | { reached: false; problem: 'unreachable' | 'unavailable' | 'timeout' | 'redirected' }
  | {
      reached: true;
      /** Null if the server has no service document. The extension then assumes the minimum features of the API. */
      document: ServiceDocument | null;
      /**
       * Limits of the API key. Null if the server did not return them. `forbidden` if the key is not allowed to
       * create links.
       */
      key: KeyLimits | 'refused' | 'forbidden' | null;
      date: number | null;
      limits: Limits;
      /** True if all paths returned a web page with a success status, as they would during maintenance. */
      isPage?: true;
    };

type SendGet = (path: string, headers?: Record<string, string>) => Promise<Response>;

/**
 * Checks whether a server is reachable, and reads its features, its time and the limits of the API key. Never throws.
 *
 * @param known service document that was stored earlier. If the server does not return this document now, the
 * response to the API key shows whether the server is reachable.
 */
export async function probeService(
  fetch: Fetch,
  baseUrl: string,
  apiKey: string,
  known: ServiceInfo | null = null,
  limitMs = PROBE_TIMEOUT_MS,
): Promise<Probe> {
  const get: SendGet = (path, headers = {}) =>
    fetch(baseUrl + path, {
      ...FETCH_DEFAULTS,
      headers: { Accept: 'application/json', ...headers },
      signal: AbortSignal.timeout(limitMs),
    });
  try {
    const response = await get('/api').catch((error) => {
      if (isTimeout(error)) return null;
      throw error;
    });
    const hasKeyDocument = known?.features.includes(FEATURE.key) ?? false;
    // A server without a service document may never respond on this path.
    if (!response || isRedirect(response)) return await (hasKeyDocument ? byKey(get, apiKey) : withoutDocument(get));
    const body = await readJson(response).catch(() => undefined);
    await response.body?.cancel().catch(() => undefined);
    // If the server is down, the gateway in front of it may return any 5xx status.
    if (response.status >= 500) return { reached: false, problem: 'unavailable' };
    const document = (response.ok && ServiceDocument.safeParse(body).data) || null;
    if (!document && hasKeyDocument) return await byKey(get, apiKey);
    if (!document && response.ok && !isJson(body))
      return await withoutDocument(get, readReported(response.headers).date);
    if (!document?.features.includes(FEATURE.key)) {
      const { date } = readReported(response.headers);
      return { reached: true, document, key: null, date, limits: NOT_REPORTED };
    }
    const answer = await getKeyDocument(get, apiKey);
    // Unlike `/api`, this path needs the server's database, so it also shows whether a POST can succeed.
    if (answer.status >= 500) return { reached: false, problem: 'unavailable' };
    return { reached: true, document, ...(await readKey(answer)).found };
  } catch (error) {
    return { reached: false, problem: isTimeout(error) ? 'timeout' : 'unreachable' };
  }
}

function getKeyDocument(get: SendGet, apiKey: string): Promise<Response> {
  return get('/api/v1/key', { [HEADER.authorization]: `Bearer ${apiKey}` });
}

/**
 * Checks a known server that currently does not return its service document. If the response to the API key does not
 * come from the server itself either, the server counts as unavailable.
 */
async function byKey(get: SendGet, apiKey: string): Promise<Probe> {
  const answer = await getKeyDocument(get, apiKey);
  if (isRedirect(answer)) return { reached: false, problem: 'redirected' };
  if (answer.status >= 500) return { reached: false, problem: 'unavailable' };
  const { found, isOwn } = await readKey(answer);
  return isOwn ? { reached: true, document: null, ...found } : { reached: false, problem: 'unavailable' };
}

/**
 * Checks a server without a service document. A working server responds to a GET of `/api/shorten` with an error, not
 * with a web page.
 *
 * @param date time of the web page that the server returned instead of its document. Undefined if there was no such
 * page.
 */
async function withoutDocument(get: SendGet, date?: number | null): Promise<Probe> {
  const response = await get('/api/shorten');
  if (isRedirect(response)) return { reached: false, problem: 'redirected' };
  if (response.status >= 500) return { reached: false, problem: 'unavailable' };
  const isPage = date !== undefined && response.ok && !isJson(await readJson(response).catch(() => undefined));
  void response.body?.cancel().catch(() => undefined);
  return {
    reached: true,
    document: null,
    key: null,
    date: date ?? readReported(response.headers).date,
    limits: NOT_REPORTED,
    ...(isPage && { isPage }),
  };
}

function isJson(body: unknown): boolean {
  return typeof body === 'object' && body !== null;
}

/**
 * Converts the result of a health check into what the queue needs. Returns null if the server is unreachable.
 * A server without a service document may redirect the health check but still accept POST requests.
 */
export function probeResult(probe: Probe): ProbeResult {
  if (!probe.reached) {
    const redirected = { date: null, limits: NOT_REPORTED, service: null, key: 'unknown' as const, redirected: true };
    return probe.problem === 'redirected' ? redirected : null;
  }
  const { date, limits, key, isPage } = probe;
  const state = key === null ? 'unknown' : typeof key === 'string' ? key : 'accepted';
  return { date, limits, service: serviceInfoOf(probe), key: state, ...(isPage && { isPage }) };
}

export function serviceInfoOf(probe: Probe): ServiceInfo | null {
  if (!probe.reached || !probe.document) return null;
  const { name, shortBaseUrl, domains, features, codes, refusedTargets, maxUrlBytes } = probe.document;
  return {
    name,
    shortBaseUrl,
    features,
    ...(domains && { domains }),
    ...(codes && { codes }),
    ...(refusedTargets && { refusedTargets }),
    ...(maxUrlBytes && { maxUrlBytes }),
  };
}

type FoundKey = Pick<Probe & { reached: true }, 'key' | 'date' | 'limits'>;

/**
 * Reads the limits of an API key from the response body, because the headers contain only the limits for reads.
 * `isOwn` is true if the server itself responded, not a gateway.
 */
async function readKey(response: Response): Promise<{ found: FoundKey; isOwn: boolean }> {
  const { date } = readReported(response.headers);
  const body = await readJson(response);
  const without = (key: FoundKey['key']): FoundKey => ({ key, date, limits: NOT_REPORTED });
  const isOwnError = !response.ok && isErrorBody(body);
  // A response that does not have the API's error format comes from a gateway and is not about the API key.
  if (isOwnError && (response.status === 401 || response.status === 403))
    return { found: without('refused'), isOwn: true };
  const parsed = response.ok ? KeyLimits.safeParse(body) : null;
  if (!parsed?.success) return { found: without(null), isOwn: isOwnError };
  const { throttle, quota, scopes } = parsed.data;
  if (scopes && !scopes.includes(CREATE_SCOPE)) return { found: without('forbidden'), isOwn: true };
  const limits = { throttle: readLimit(throttle), quota: readLimit(quota) };
  return { found: { key: parsed.data, date, limits }, isOwn: true };
}
