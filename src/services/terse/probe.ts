import { KeyLimits } from '@terse/contract/api-key';
import { HEADER, type Limits, readLimit } from '@terse/contract/http-headers';
import { FEATURE, ServiceDocument } from '@terse/contract/service-capabilities';
import type { ProbeResult } from '../../queue/results/apply-probe.ts';
import type { ServiceInfo } from '../../queue/types.ts';
import { readJson } from '../http-client.ts';
import { FETCH_DEFAULTS, type Fetch, isRedirect, isTimeout, readReported } from './create-links.ts';
import { isErrorBody } from './error-response.ts';

/** Scope of keys that may create links. */
const CREATE_SCOPE = 'create';

/** Maximum time for each request of a probe, in milliseconds. A user or a send waits for it, so it is half of a send's. */
const PROBE_LIMIT_MS = 10_000;

const NOT_REPORTED: Limits = { throttle: null, quota: null };

/** Result of a probe. A probe spends nothing: it sends only GET and HEAD requests, and the key only to the key document. */
export type Probe =
  | { reached: false; problem: 'unreachable' | 'unavailable' | 'timeout' | 'redirected' }
  | {
      reached: true;
      /** Null: no service document. Only the specification is relied on then. */
      document: ServiceDocument | null;
      /** Null: the service has no key document, or it did not answer. `forbidden`: the key may not create links. */
      key: KeyLimits | 'refused' | 'forbidden' | null;
      date: number | null;
      limits: Limits;
      /** True if every path answered with a page and success, as a maintenance page does. */
      isPage?: true;
    };

type Ask = (path: string, headers?: Record<string, string>) => Promise<Response>;

/**
 * Asks a service who it is, what time it has, and what it allows the key. Never throws.
 *
 * @param known the service document that was read before. If it cannot be read now, the key document shows if the service
 *   is there.
 */
export async function probeService(
  fetch: Fetch,
  baseUrl: string,
  apiKey: string,
  known: ServiceInfo | null = null,
  limitMs = PROBE_LIMIT_MS,
): Promise<Probe> {
  const ask: Ask = (path, headers = {}) =>
    fetch(baseUrl + path, {
      ...FETCH_DEFAULTS,
      headers: { Accept: 'application/json', ...headers },
      signal: AbortSignal.timeout(limitMs),
    });
  try {
    const response = await ask('/api').catch((error) => {
      if (isTimeout(error)) return null;
      throw error;
    });
    const hasKeyDocument = known?.features.includes(FEATURE.key) ?? false;
    // A service without a document may leave this one path without an answer.
    if (!response || isRedirect(response)) return await (hasKeyDocument ? byKey(ask, apiKey) : withoutDocument(ask));
    const body = await readJson(response).catch(() => undefined);
    await response.body?.cancel().catch(() => undefined);
    // Gateways answer with any 5xx if the service is down.
    if (response.status >= 500) return { reached: false, problem: 'unavailable' };
    const document = (response.ok && ServiceDocument.safeParse(body).data) || null;
    if (!document && hasKeyDocument) return await byKey(ask, apiKey);
    if (!document && response.ok && !isJson(body))
      return await withoutDocument(ask, readReported(response.headers).date);
    if (!document?.features.includes(FEATURE.key)) {
      const { date } = readReported(response.headers);
      return { reached: true, document, key: null, date, limits: NOT_REPORTED };
    }
    const answer = await askForKey(ask, apiKey);
    // The document needs no database, the key does, and so does a send.
    if (answer.status >= 500) return { reached: false, problem: 'unavailable' };
    return { reached: true, document, ...(await readKey(answer)).found };
  } catch (error) {
    return { reached: false, problem: isTimeout(error) ? 'timeout' : 'unreachable' };
  }
}

function askForKey(ask: Ask, apiKey: string): Promise<Response> {
  return ask('/api/v1/key', { [HEADER.authorization]: `Bearer ${apiKey}` });
}

/** Probes a known service whose document cannot be read now. If its key document is no JSON either, it is not there. */
async function byKey(ask: Ask, apiKey: string): Promise<Probe> {
  const answer = await askForKey(ask, apiKey);
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
async function withoutDocument(ask: Ask, date?: number | null): Promise<Probe> {
  const response = await ask('/api/shorten');
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
 * What a probe tells the queue; null where nobody is there. One that is redirected may still take requests: a service
 * without a service document may have anything in that place.
 */
export function probeResult(probe: Probe): ProbeResult {
  if (!probe.reached) {
    const found = { date: null, limits: NOT_REPORTED, service: null, key: 'unknown' as const, redirected: true };
    return probe.problem === 'redirected' ? found : null;
  }
  const { date, limits, key, isPage } = probe;
  const state = key === null ? 'unknown' : typeof key === 'string' ? key : 'accepted';
  return { date, limits, service: serviceInfoOf(probe), key: state, ...(isPage && { isPage }) };
}

/** What a connection keeps of a service document. */
export function serviceInfoOf(probe: Probe): ServiceInfo | null {
  if (!probe.reached || !probe.document) return null;
  const { name, shortBaseUrl, features, codes, refusedTargets } = probe.document;
  return { name, shortBaseUrl, features, ...(codes && { codes }), ...(refusedTargets && { refusedTargets }) };
}

type FoundKey = Pick<Probe & { reached: true }, 'key' | 'date' | 'limits'>;

/**
 * Reads the response for the key document. Only JSON of the service itself counts (`isOwn`). The limits are those of the
 * document: the header fields of a GET are about reads.
 */
async function readKey(response: Response): Promise<{ found: FoundKey; isOwn: boolean }> {
  const { date } = readReported(response.headers);
  const body = await readJson(response);
  const without = (key: FoundKey['key']): FoundKey => ({ key, date, limits: NOT_REPORTED });
  const isOwnError = !response.ok && isErrorBody(body);
  // A gateway's page that says so is about the gateway.
  if (isOwnError && (response.status === 401 || response.status === 403))
    return { found: without('refused'), isOwn: true };
  const parsed = response.ok ? KeyLimits.safeParse(body) : null;
  if (!parsed?.success) return { found: without(null), isOwn: isOwnError };
  const { throttle, quota, scopes } = parsed.data;
  if (scopes && !scopes.includes(CREATE_SCOPE)) return { found: without('forbidden'), isOwn: true };
  const limits = { throttle: readLimit(throttle), quota: readLimit(quota) };
  return { found: { key: parsed.data, date, limits }, isOwn: true };
}
