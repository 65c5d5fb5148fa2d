import { ownErrorCode } from '@terse/contract/errors';
import { HEADER, parseRetryAfter } from '@terse/contract/http-headers';
import type { Message, ServiceAnswer } from '../../messages/protocol.ts';
import { readJson } from '../../services/http-client.ts';
import { isIdempotent } from '../../services/service-adapter.ts';
import { FETCH_DEFAULTS, type Fetch, isRedirect, readReported } from '../../services/terse/create-links.ts';
import type { Store } from '../../storage/store.ts';

/** A person is waiting for it. */
const CALL_LIMIT_MS = 10_000;

interface CallDependencies {
  store: Store;
  fetch: Fetch;
  permitted: (baseUrl: string) => Promise<boolean>;
  /** For services where a POST on the same socket could make two links: see `connection-close.ts`. */
  closeConnections: (baseUrl: string) => Promise<void>;
}

export type Call = Omit<Message & { type: 'call-service' }, 'type'>;

/**
 * Asks a service about its links on a page's behalf. Address and key are read in one transaction, and the key stays here.
 * Nothing of it costs budget. A link that is deleted leaves the history even where the page that asked has closed.
 */
export async function callService(
  { store, fetch, permitted, closeConnections }: CallDependencies,
  { connectionId, baseUrl, method, path, body, linkId }: Call,
): Promise<ServiceAnswer> {
  const found = await store.readWithKey(connectionId);
  if (found?.connection.baseUrl !== baseUrl) return { status: 0, problem: 'no_connection' };
  if (!(await permitted(baseUrl))) return { status: 0, problem: 'permission' };
  // Without the rule nothing is sent, so reading is safe.
  if (!isIdempotent(found.connection)) await closeConnections(baseUrl).catch(() => undefined);
  const ask = (init: Pick<RequestInit, 'method' | 'body'>) =>
    askOnce(fetch, `${baseUrl}/api/v1/${path}`, found.apiKey, init);
  const answer = await ask({ method, ...(body && { body: JSON.stringify(body) }) });
  if (method !== 'DELETE') return answer;
  // A captive portal may answer 204 to anything. The service's own error for the same link shows that the service did.
  const told = answer.status === 204 ? await ask({ method: 'GET' }) : answer;
  const error = told.problem ? null : ownErrorCode(told.status, told.body);
  if (answer.status === 204 && !error) return { status: 0, problem: told.problem ?? 'not_understood' };
  const isGone = answer.status === 204 || error === 'not_found' || error === 'gone';
  if (linkId && isGone) await store.removeLink(linkId);
  return answer;
}

async function askOnce(
  fetch: Fetch,
  url: string,
  apiKey: string,
  init: Pick<RequestInit, 'method' | 'body'>,
): Promise<ServiceAnswer> {
  try {
    const response = await fetch(url, {
      ...FETCH_DEFAULTS,
      ...init,
      headers: {
        Accept: 'application/json',
        [HEADER.authorization]: `Bearer ${apiKey}`,
        ...(init.body && { 'Content-Type': 'application/json' }),
      },
      signal: AbortSignal.timeout(CALL_LIMIT_MS),
    });
    if (isRedirect(response)) return { status: 0, problem: 'redirected' };
    const now = readReported(response.headers).date ?? Date.now();
    const waitSeconds = parseRetryAfter(response.headers.get(HEADER.retryAfter), now);
    return { status: response.status, body: await readJson(response), waitSeconds };
  } catch {
    return { status: 0, problem: 'unreachable' };
  }
}
