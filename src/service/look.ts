import { FEATURE, HEADER, KeyDocument, type Limits, readLimit, ServiceDocument } from '@terse/contract';
import type { Told } from '../queue/budget.ts';
import { isRedirect, readTold } from './answer.ts';
import { readJson } from './body.ts';
import { FETCH_DEFAULTS, type Fetch, isTimeout } from './send.ts';

/** A look is a person waiting, or a send held back: it gets half of what a send gets, for each of its two requests. */
const LOOK_LIMIT_MS = 10_000;

/** What a gateway answers that has nobody behind it, and a service that is going down or coming up. */
const AWAY = [502, 503, 504];

const UNTOLD: Limits = { throttle: null, quota: null };

/** What a look at a service found. It spends nothing: only GET requests, and the key goes only where one is asked for. */
export type Sighting =
  | { reached: false; problem: 'unreachable' | 'unavailable' | 'timeout' | 'redirected' }
  | {
      reached: true;
      /** Null: no service document. Only the specification is relied on then. */
      document: ServiceDocument | null;
      /** Null: the service has no key document, or it did not answer. */
      key: KeyDocument | 'refused' | null;
      date: number | null;
      limits: Limits;
    };

/** Looks at a service: who it is, what time it has, and what it allows the key. Never throws. */
export async function lookAt(
  fetch: Fetch,
  baseUrl: string,
  apiKey: string,
  limitMs = LOOK_LIMIT_MS,
): Promise<Sighting> {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(baseUrl + path, {
      ...FETCH_DEFAULTS,
      headers: { Accept: 'application/json', ...headers },
      signal: AbortSignal.timeout(limitMs),
    });
  try {
    const response = await get('/api');
    if (isRedirect(response)) return { reached: false, problem: 'redirected' };
    const parsed = response.ok ? ServiceDocument.safeParse(await readJson(response)) : null;
    await response.body?.cancel().catch(() => undefined);
    if (AWAY.includes(response.status)) return { reached: false, problem: 'unavailable' };
    const document = parsed?.success ? parsed.data : null;
    const { date } = readTold(response.headers);
    if (!document?.features.includes(FEATURE.key)) return { reached: true, document, key: null, date, limits: UNTOLD };
    const answer = await get('/api/v1/key', { [HEADER.authorization]: `Bearer ${apiKey}` });
    return { reached: true, document, ...(await readKey(answer)) };
  } catch (error) {
    return { reached: false, problem: isTimeout(error) ? 'timeout' : 'unreachable' };
  }
}

/**
 * What a sighting tells the queue; null where nobody is there. One that redirects the look may still take requests: a
 * service without a service document may have anything in that place.
 */
export function toldBy(sighting: Sighting): Told | null {
  if (sighting.reached) return sighting;
  return sighting.problem === 'redirected' ? { date: null, limits: UNTOLD } : null;
}

/** The limits are the document's: what the header fields of a GET tell is how often one may look. */
async function readKey(response: Response) {
  const { date } = readTold(response.headers);
  if (response.status === 401 || response.status === 403) return { key: 'refused' as const, date, limits: UNTOLD };
  const parsed = response.ok ? KeyDocument.safeParse(await readJson(response)) : null;
  if (!parsed?.success) return { key: null, date, limits: UNTOLD };
  const { throttle, quota } = parsed.data;
  return { key: parsed.data, date, limits: { throttle: readLimit(throttle), quota: readLimit(quota) } };
}
