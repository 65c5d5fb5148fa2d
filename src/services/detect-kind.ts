import { ADAPTERS } from './adapters.ts';
import { type Exchange, NoAnswer } from './http-request-types.ts';
import { runExchange } from './send-http-request.ts';
import { type Fetch, SERVICE_KINDS, type ServiceKind } from './service-adapter.ts';

/** Maximum duration of each request, in milliseconds. It is short, because the user waits for the result. */
const TIMEOUT_MS = 5_000;

/** Kinds of servers with the Terse API. `detectKind` does not test for them, because the health check does. */
const BY_DOCUMENT: ServiceKind[] = ['terse', 'specification'];

/** Shlink is tested first. A Shlink server would count the tests for other kinds of servers as visits. */
const IN_ORDER: ServiceKind[] = ['shlink', ...SERVICE_KINDS.filter((kind) => kind !== 'shlink')];

/** Status codes with which a gateway reports that the server is down. */
const UNAVAILABLE = [502, 503, 504];

/**
 * Determines the kind of a server with GET requests that contain no API key. The requests are sent one at a time.
 * With several open connections, a browser may silently repeat a POST request.
 *
 * @returns `unavailable` if a gateway reports that the server is down. Null if the server does not respond or if no
 * kind matches.
 */
export async function detectKind(
  fetch: Fetch,
  baseUrl: string,
  now: number,
): Promise<ServiceKind | 'unavailable' | null> {
  let isUnavailable = false;
  for (const kind of IN_ORDER.filter((one) => !BY_DOCUMENT.includes(one))) {
    const found = await runExchange(detect(kind), { fetch, baseUrl, now, limitMs: TIMEOUT_MS }).catch(failureOf);
    if (found === 'yes') return kind;
    if (found === 'no_answer') return null;
    isUnavailable ||= found === 'unavailable';
  }
  return isUnavailable ? 'unavailable' : null;
}

function* detect(kind: ServiceKind): Exchange<'yes' | 'no' | 'unavailable'> {
  const rule = ADAPTERS[kind].detect;
  if (!rule) return 'no';
  const answer = yield { method: 'GET', path: rule.path };
  if (rule.matches(answer)) return 'yes';
  return UNAVAILABLE.includes(answer.status) ? 'unavailable' : 'no';
}

/** Returns `no` if the server sent a redirect or an incomplete response, and `no_answer` if it sent no response. */
function failureOf(error: unknown): 'no' | 'no_answer' {
  return error instanceof NoAnswer && (error.code === 'redirected' || error.head) ? 'no' : 'no_answer';
}
