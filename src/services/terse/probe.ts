import { KeyLimits } from '@terse/contract/api-key';
import { HEADER, type Limits, readLimit } from '@terse/contract/http-headers';
import { FEATURE, ServiceDocument } from '@terse/contract/service-capabilities';
import type { ProbeResult } from '../../queue/results/apply-probe.ts';
import type { ServiceInfo } from '../../queue/types.ts';
import { readJson } from '../http-client.ts';
import { FETCH_DEFAULTS, type Fetch, isRedirect, isTimeout, readReported } from './create-links.ts';
import { isErrorBody } from './error-response.ts';

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
      /** Null: the service has no key document, or it did not answer. */
      key: KeyLimits | 'refused' | null;
      date: number | null;
      limits: Limits;
    };

/** Asks a service who it is, what time it has, and what it allows the key. Never throws. */
export async function probeService(
  fetch: Fetch,
  baseUrl: string,
  apiKey: string,
  limitMs = PROBE_LIMIT_MS,
): Promise<Probe> {
  const ask = (path: string, headers: Record<string, string> = {}) =>
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
    // A service without a document may leave this one path without an answer.
    if (!response || isRedirect(response)) return withoutDocument(await ask('/api/shorten'));
    const body = response.ok ? await readJson(response).catch(() => undefined) : undefined;
    await response.body?.cancel().catch(() => undefined);
    // Gateways answer with any 5xx if the service is down.
    if (response.status >= 500) return { reached: false, problem: 'unavailable' };
    const document = ServiceDocument.safeParse(body).data ?? null;
    const { date } = readReported(response.headers);
    if (!document?.features.includes(FEATURE.key)) {
      return { reached: true, document, key: null, date, limits: NOT_REPORTED };
    }
    const answer = await ask('/api/v1/key', { [HEADER.authorization]: `Bearer ${apiKey}` });
    // The document needs no database, the key does, and so does a send.
    if (answer.status >= 500) return { reached: false, problem: 'unavailable' };
    return { reached: true, document, ...(await readKey(answer)) };
  } catch (error) {
    return { reached: false, problem: isTimeout(error) ? 'timeout' : 'unreachable' };
  }
}

function withoutDocument(response: Response): Probe {
  void response.body?.cancel().catch(() => undefined);
  if (isRedirect(response)) return { reached: false, problem: 'redirected' };
  if (response.status >= 500) return { reached: false, problem: 'unavailable' };
  const { date } = readReported(response.headers);
  return { reached: true, document: null, key: null, date, limits: NOT_REPORTED };
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
  const { date, limits, key } = probe;
  const state = key === null ? 'unknown' : key === 'refused' ? 'refused' : 'accepted';
  return { date, limits, service: serviceInfoOf(probe), key: state };
}

/** What a connection keeps of a service document. */
export function serviceInfoOf(probe: Probe): ServiceInfo | null {
  if (!probe.reached || !probe.document) return null;
  const { name, shortBaseUrl, features, codes, refusedTargets } = probe.document;
  return { name, shortBaseUrl, features, ...(codes && { codes }), ...(refusedTargets && { refusedTargets }) };
}

/** The limits are the document's: what the header fields of a GET report is how often one may ask. */
async function readKey(response: Response) {
  const { date } = readReported(response.headers);
  const body = await readJson(response);
  // A gateway's page that says so is about the gateway.
  const isRefused = (response.status === 401 || response.status === 403) && isErrorBody(body);
  if (isRefused) return { key: 'refused' as const, date, limits: NOT_REPORTED };
  const parsed = response.ok ? KeyLimits.safeParse(body) : null;
  if (!parsed?.success) return { key: null, date, limits: NOT_REPORTED };
  const { throttle, quota } = parsed.data;
  return { key: parsed.data, date, limits: { throttle: readLimit(throttle), quota: readLimit(quota) } };
}
