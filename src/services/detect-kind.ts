import { ADAPTERS } from './adapters.ts';
import { runExchange } from './http-client.ts';
import { type Exchange, NoAnswer } from './http-exchange.ts';
import { type Fetch, SERVICE_KINDS, type ServiceKind } from './service-adapter.ts';

/** Time limit of each request, in milliseconds. It is short, because the user waits for the result. */
const TIMEOUT_MS = 5_000;

/** Kinds that the probe of our API recognizes. */
const BY_DOCUMENT: ServiceKind[] = ['terse', 'specification'];

/** Shlink is first, because it would count the paths of all other kinds as visits. */
const IN_ORDER: ServiceKind[] = ['shlink', ...SERVICE_KINDS.filter((kind) => kind !== 'shlink')];

/** Status codes of gateways whose server is down. */
const UNAVAILABLE = [502, 503, 504];

/**
 * Finds out the kind of a server with GET requests that create and count nothing and carry no API key. They are sent one
 * after the other, because a browser may repeat a POST on one of several open network connections.
 *
 * @returns `unavailable` if a gateway says that its server is down, so that the kind is not certain; null if no kind
 * recognizes the server, which may then have our API or the specification's
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

/** A redirect or a broken body says that this kind is not there. Without any answer, no kind can be found. */
function failureOf(error: unknown): 'no' | 'no_answer' {
  return error instanceof NoAnswer && (error.code === 'redirected' || error.head) ? 'no' : 'no_answer';
}
