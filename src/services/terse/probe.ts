import { KeyLimits } from '@terse/contract/api-key';
import { HEADER, type Limits, readLimit } from '@terse/contract/http-headers';
import { FEATURE, ServiceDocument } from '@terse/contract/service-capabilities';
import { FETCH_DEFAULTS, isRedirect, isTimeout, readJson, readReported } from '../http-client.ts';
import type { Fetch, ProbeResult, ServiceInfo } from '../service-adapter.ts';
import { isErrorBody } from './error-response.ts';

/** Scope of keys that may create links. */
const CREATE_SCOPE = 'create';

/** Maximum time for each request of a probe, in milliseconds. The user or the queue waits for the probe. */
const PROBE_TIMEOUT_MS = 10_000;

const NOT_REPORTED: Limits = { throttle: null, quota: null };

/** Findings of a probe. A probe costs no quota: it sends only GET requests, and sends the API key only to `/api/v1/key`. */
export type Probe =
  | { reached: false; problem: 'unreachable' | 'unavailable' | 'timeout' | 'redirected' }
  | {
      reached: true;
      /** Null if the service has no service document. It is then used as the specification describes. */
      document: ServiceDocument | null;
      /**
       * Null if the service has no key document, or did not return it. `forbidden` if the key may not create links.
       */
      key: KeyLimits | 'refused' | 'forbidden' | null;
      date: number | null;
      limits: Limits;
      /** True if every path answered with a page and success, as a maintenance page does. */
      isPage?: true;
    };

type SendGet = (path: string, headers?: Record<string, string>) => Promise<Response>;

/**
 * Checks that a service is reachable, and reads its document, its time and the key's limits. Never throws.
 *
 * @param known the service document that was read before. If it cannot be read now, the key document shows if the service
 *   is reachable.
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
    // A service without a document may never respond to this path.
    if (!response || isRedirect(response)) return await (hasKeyDocument ? byKey(get, apiKey) : withoutDocument(get));
    const body = await readJson(response).catch(() => undefined);
    await response.body?.cancel().catch(() => undefined);
    // Gateways return any 5xx if the service is down.
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
    // Unlike `/api`, this path needs the database, as a POST does.
    if (answer.status >= 500) return { reached: false, problem: 'unavailable' };
    return { reached: true, document, ...(await readKey(answer)).found };
  } catch (error) {
    return { reached: false, problem: isTimeout(error) ? 'timeout' : 'unreachable' };
  }
}

function getKeyDocument(get: SendGet, apiKey: string): Promise<Response> {
  return get('/api/v1/key', { [HEADER.authorization]: `Bearer ${apiKey}` });
}

/** Probes a known service whose document cannot be read now. If its key document is no JSON either, it is not there. */
async function byKey(get: SendGet, apiKey: string): Promise<Probe> {
  const answer = await getKeyDocument(get, apiKey);
  if (isRedirect(answer)) return { reached: false, problem: 'redirected' };
  if (answer.status >= 500) return { reached: false, problem: 'unavailable' };
  const { found, isOwn } = await readKey(answer);
  return isOwn ? { reached: true, document: null, ...found } : { reached: false, problem: 'unavailable' };
}

/**
 * Probes a service without a document. It answers a GET of its only endpoint with an error, or not as a page.
 *
 * @param date time of the page that was in place of the document; undefined if there was no page
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
 * Converts the findings for the queue; null if the service is unreachable. A service that redirects the probe may still accept
 * requests, because a service without a document may have any page at that path.
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

/** Returns the part of a service document that a connection stores. */
export function serviceInfoOf(probe: Probe): ServiceInfo | null {
  if (!probe.reached || !probe.document) return null;
  const { name, shortBaseUrl, features, codes, refusedTargets } = probe.document;
  return { name, shortBaseUrl, features, ...(codes && { codes }), ...(refusedTargets && { refusedTargets }) };
}

type FoundKey = Pick<Probe & { reached: true }, 'key' | 'date' | 'limits'>;

/**
 * Reads the key document. Its headers report the limits of reads, so the limits come from the body. `isOwn` is true if
 * the service itself sent it.
 */
async function readKey(response: Response): Promise<{ found: FoundKey; isOwn: boolean }> {
  const { date } = readReported(response.headers);
  const body = await readJson(response);
  const without = (key: FoundKey['key']): FoundKey => ({ key, date, limits: NOT_REPORTED });
  const isOwnError = !response.ok && isErrorBody(body);
  // If a gateway sends this status, it is not about the API key.
  if (isOwnError && (response.status === 401 || response.status === 403))
    return { found: without('refused'), isOwn: true };
  const parsed = response.ok ? KeyLimits.safeParse(body) : null;
  if (!parsed?.success) return { found: without(null), isOwn: isOwnError };
  const { throttle, quota, scopes } = parsed.data;
  if (scopes && !scopes.includes(CREATE_SCOPE)) return { found: without('forbidden'), isOwn: true };
  const limits = { throttle: readLimit(throttle), quota: readLimit(quota) };
  return { found: { key: parsed.data, date, limits }, isOwn: true };
}
