import { ADAPTERS } from './adapters.ts';
import { runExchange } from './http-client.ts';
import { type Exchange, NoAnswer } from './http-exchange.ts';
import { type Fetch, SERVICE_KINDS, type ServiceKind } from './service-adapter.ts';

/** Time limit of each request, in milliseconds. It is short, because the user waits for the result. */
const TIMEOUT_MS = 5_000;

/** Kinds that the probe of our API recognizes. */
const BY_DOCUMENT: ServiceKind[] = ['terse', 'specification'];

/** Kind that is asked about first, because it would count the paths of all other kinds as visits. */
const FIRST: ServiceKind = 'shlink';

/**
 * Finds out the kind of a server with GET requests that create and count nothing and carry no API key.
 *
 * @returns null if no kind recognizes the server, which may then have our API or the specification's
 */
export async function detectKind(fetch: Fetch, baseUrl: string, now: number): Promise<ServiceKind | null> {
  const answers = (kind: ServiceKind) =>
    runExchange(detect(kind), { fetch, baseUrl, now, limitMs: TIMEOUT_MS }).catch((error: unknown) => {
      // A redirect or a broken body says that this kind is not there. Without any answer, no kind can be found.
      if (error instanceof NoAnswer && (error.code === 'redirected' || error.head)) return false;
      return null;
    });
  const isFirst = await answers(FIRST);
  if (isFirst !== false) return isFirst ? FIRST : null;
  const others = SERVICE_KINDS.filter((kind) => kind !== FIRST && !BY_DOCUMENT.includes(kind));
  const found = await Promise.all(others.map(answers));
  return others.find((_, index) => found[index]) ?? null;
}

function* detect(kind: ServiceKind): Exchange<boolean> {
  const rule = ADAPTERS[kind].detect;
  if (!rule) return false;
  return rule.matches(yield { method: 'GET', path: rule.path });
}
