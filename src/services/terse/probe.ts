import { KeyLimits } from '@terse/contract/api-key';
import { HEADER, type Limits, readLimit } from '@terse/contract/http-headers';
import { FEATURE, ServiceDocument } from '@terse/contract/service-capabilities';
import { FETCH_DEFAULTS, isRedirect, isTimeout, readJson, readReported } from '../http-client.ts';
import type { Fetch, ProbeResult, ServiceInfo } from '../service-adapter.ts';
import { isErrorBody } from './error-response.ts';

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
      /** Null if the service has no key document, or did not return it. */
      key: KeyLimits | 'refused' | null;
      date: number | null;
      limits: Limits;
    };

/** Checks that a service is reachable, and reads its document, its time and the key's limits. Never throws. */
export async function probeService(
  fetch: Fetch,
  baseUrl: string,
  apiKey: string,
  limitMs = PROBE_TIMEOUT_MS,
): Promise<Probe> {
  const get = (path: string, headers: Record<string, string> = {}) =>
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
    // A service without a document may never respond to this path.
    if (!response || isRedirect(response)) return withoutDocument(await get('/api/shorten'));
    const body = response.ok ? await readJson(response).catch(() => undefined) : undefined;
    await response.body?.cancel().catch(() => undefined);
    // Gateways return any 5xx if the service is down.
    if (response.status >= 500) return { reached: false, problem: 'unavailable' };
    const document = ServiceDocument.safeParse(body).data ?? null;
    const { date } = readReported(response.headers);
    if (!document?.features.includes(FEATURE.key)) {
      return { reached: true, document, key: null, date, limits: NOT_REPORTED };
    }
    const answer = await get('/api/v1/key', { [HEADER.authorization]: `Bearer ${apiKey}` });
    // Unlike `/api`, this path needs the database, as a POST does.
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
 * Converts the findings for the queue; null if the service is unreachable. A service that redirects the probe may still accept
 * requests, because a service without a document may have any page at that path.
 */
export function probeResult(probe: Probe): ProbeResult {
  if (!probe.reached) {
    const redirected = { date: null, limits: NOT_REPORTED, service: null, key: 'unknown' as const, redirected: true };
    return probe.problem === 'redirected' ? redirected : null;
  }
  const { date, limits, key } = probe;
  const state = key === null ? 'unknown' : key === 'refused' ? 'refused' : 'accepted';
  return { date, limits, service: serviceInfoOf(probe), key: state };
}

/** Returns the part of a service document that a connection stores. */
export function serviceInfoOf(probe: Probe): ServiceInfo | null {
  if (!probe.reached || !probe.document) return null;
  const { name, shortBaseUrl, features, codes, refusedTargets } = probe.document;
  return { name, shortBaseUrl, features, ...(codes && { codes }), ...(refusedTargets && { refusedTargets }) };
}

/** Reads the key document. Its headers report the limits of reads, so the limits come from the body. */
async function readKey(response: Response) {
  const { date } = readReported(response.headers);
  const body = await readJson(response);
  // If a gateway sends this status, it is not about the API key.
  const isRefused = (response.status === 401 || response.status === 403) && isErrorBody(body);
  if (isRefused) return { key: 'refused' as const, date, limits: NOT_REPORTED };
  const parsed = response.ok ? KeyLimits.safeParse(body) : null;
  if (!parsed?.success) return { key: null, date, limits: NOT_REPORTED };
  const { throttle, quota } = parsed.data;
  return { key: parsed.data, date, limits: { throttle: readLimit(throttle), quota: readLimit(quota) } };
}
