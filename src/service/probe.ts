import { FEATURE } from '@terse/contract/features';
import { HEADER } from '@terse/contract/headers';
import { KeyLimits } from '@terse/contract/key-limits';
import { type Limits, readLimit } from '@terse/contract/rate-limit';
import { ServiceDocument } from '@terse/contract/service-document';
import type { ProbeResult } from '../queue/probe.ts';
import type { ServiceInfo } from '../queue/types.ts';
import { isRedirect, readReported } from './answer.ts';
import { readJson } from './body.ts';
import { FETCH_DEFAULTS, type Fetch, isTimeout } from './send.ts';

/** A probe is a person waiting, or a send held back: it gets half of what a send gets, for each of its two requests. */
const PROBE_LIMIT_MS = 10_000;

/** What a gateway answers that has nobody behind it, and a service that is going down or coming up. */
const AWAY = [502, 503, 504];

/** What a service answers that has no such document. */
const NOT_THERE = [404, 405, 410];

const NOT_REPORTED: Limits = { throttle: null, quota: null };

/** What a probe found. It spends nothing: only GET requests, and the key goes only where one is asked for. */
export type Probe =
  | { reached: false; problem: 'unreachable' | 'unavailable' | 'timeout' | 'redirected' }
  | {
      reached: true;
      /** Null: no service document. Only the specification is relied on then. */
      document: ServiceDocument | null;
      /** The answer says that there is none; false where that answer was an error. */
      withoutDocument: boolean;
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
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(baseUrl + path, {
      ...FETCH_DEFAULTS,
      headers: { Accept: 'application/json', ...headers },
      signal: AbortSignal.timeout(limitMs),
    });
  try {
    const response = await get('/api');
    if (isRedirect(response)) return await probeWithoutDocument(get);
    const parsed = response.ok ? ServiceDocument.safeParse(await readJson(response)) : null;
    await response.body?.cancel().catch(() => undefined);
    if (AWAY.includes(response.status)) return { reached: false, problem: 'unavailable' };
    const document = parsed?.success ? parsed.data : null;
    const withoutDocument = document === null && (response.ok || NOT_THERE.includes(response.status));
    const { date } = readReported(response.headers);
    if (!document?.features.includes(FEATURE.key)) {
      return { reached: true, document, withoutDocument, key: null, date, limits: NOT_REPORTED };
    }
    const answer = await get('/api/v1/key', { [HEADER.authorization]: `Bearer ${apiKey}` });
    // The document needs no database, the key does, and so does a send.
    if (AWAY.includes(answer.status)) return { reached: false, problem: 'unavailable' };
    return { reached: true, document, withoutDocument, ...(await readKey(answer)) };
  } catch (error) {
    return { reached: false, problem: isTimeout(error) ? 'timeout' : 'unreachable' };
  }
}

/** Asks the specification's own endpoint for the time. A service without a document may have anything at `/api`. */
async function probeWithoutDocument(get: (path: string) => Promise<Response>): Promise<Probe> {
  const response = await get('/api/shorten');
  await response.body?.cancel().catch(() => undefined);
  if (isRedirect(response)) return { reached: false, problem: 'redirected' };
  if (AWAY.includes(response.status)) return { reached: false, problem: 'unavailable' };
  const { date } = readReported(response.headers);
  return { reached: true, document: null, withoutDocument: false, key: null, date, limits: NOT_REPORTED };
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
  const { date, limits, key, withoutDocument } = probe;
  const state = key === null ? 'unknown' : key === 'refused' ? 'refused' : 'accepted';
  return { date, limits, service: serviceOf(probe), key: state, withoutDocument };
}

/** What a connection keeps of a service document. */
export function serviceOf(probe: Probe): ServiceInfo | null {
  if (!probe.reached || !probe.document) return null;
  const { name, shortBaseUrl, features, codes, refusedTargets } = probe.document;
  return { name, shortBaseUrl, features, ...(codes && { codes }), ...(refusedTargets && { refusedTargets }) };
}

/** The limits are the document's: what the header fields of a GET report is how often one may ask. */
async function readKey(response: Response) {
  const { date } = readReported(response.headers);
  if (response.status === 401 || response.status === 403)
    return { key: 'refused' as const, date, limits: NOT_REPORTED };
  const parsed = response.ok ? KeyLimits.safeParse(await readJson(response)) : null;
  if (!parsed?.success) return { key: null, date, limits: NOT_REPORTED };
  const { throttle, quota } = parsed.data;
  return { key: parsed.data, date, limits: { throttle: readLimit(throttle), quota: readLimit(quota) } };
}
