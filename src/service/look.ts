import { FEATURE, HEADER, KeyDocument, type Limits, ServiceDocument } from '@terse/contract';
import { readTold } from './answer.ts';
import { readJson } from './body.ts';
import { FETCH_DEFAULTS, type Fetch, isTimeout } from './send.ts';

/** A look is a person waiting, or a send held back: it gets half of what a send gets, for each of its two requests. */
const LOOK_LIMIT_MS = 10_000;

/** What a look at a service found. It spends nothing: only GET requests, and the key goes only where one is asked for. */
export type Sighting =
  | { reached: false; problem: 'unreachable' | 'timeout' | 'redirected' }
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
export async function lookAt(fetch: Fetch, baseUrl: string, apiKey: string): Promise<Sighting> {
  try {
    const response = await get(fetch, `${baseUrl}/api`, {});
    if (response.type === 'opaqueredirect') return { reached: false, problem: 'redirected' };
    const parsed = response.ok ? ServiceDocument.safeParse(await readJson(response)) : null;
    await response.body?.cancel().catch(() => undefined);
    const document = parsed?.success ? parsed.data : null;
    const told = readTold(response.headers);
    if (!document?.features.includes(FEATURE.key)) return { reached: true, document, key: null, ...told };
    return { reached: true, document, ...(await lookAtKey(fetch, baseUrl, apiKey)) };
  } catch (error) {
    return { reached: false, problem: isTimeout(error) ? 'timeout' : 'unreachable' };
  }
}

async function lookAtKey(fetch: Fetch, baseUrl: string, apiKey: string) {
  const response = await get(fetch, `${baseUrl}/api/v1/key`, { [HEADER.authorization]: `Bearer ${apiKey}` });
  const told = readTold(response.headers);
  if (response.status === 401 || response.status === 403) return { key: 'refused' as const, ...told };
  const parsed = response.ok ? KeyDocument.safeParse(await readJson(response)) : null;
  if (!parsed?.success) return { key: null, ...told };
  const { throttle, quota } = parsed.data;
  return { key: parsed.data, date: told.date, limits: { throttle, quota } };
}

function get(fetch: Fetch, url: string, headers: Record<string, string>): Promise<Response> {
  return fetch(url, {
    ...FETCH_DEFAULTS,
    headers: { Accept: 'application/json', ...headers },
    signal: AbortSignal.timeout(LOOK_LIMIT_MS),
  });
}
