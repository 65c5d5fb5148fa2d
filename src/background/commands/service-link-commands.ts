import { ownErrorCode } from '@terse/contract/errors';
import { HEADER, parseRetryAfter } from '@terse/contract/http-headers';
import type { Message, ServiceAnswer } from '../../messages/protocol.ts';
import { readJson } from '../../services/http-client.ts';
import { isIdempotent } from '../../services/service-adapter.ts';
import { FETCH_DEFAULTS, type Fetch, isRedirect, readReported } from '../../services/terse/create-links.ts';
import type { Store } from '../../storage/store.ts';

/** Maximum duration of a call. The user is waiting for it. */
const CALL_LIMIT_MS = 10_000;

interface CallDependencies {
  store: Store;
  fetch: Fetch;
  permitted: (baseUrl: string) => Promise<boolean>;
  /** Keeps the browser from repeating a POST: see `prevent-duplicate-post.ts`. */
  closeConnections: (baseUrl: string) => Promise<void>;
}

export type Call = Omit<Message & { type: 'call-service' }, 'type'>;

/**
 * Calls a service about its links for a page. The API key never leaves the background. A call costs no quota. A deleted
 * link is also deleted here, even if the page has closed.
 */
export async function callService(
  { store, fetch, permitted, closeConnections }: CallDependencies,
  { connectionId, baseUrl, method, path, body, linkId }: Call,
): Promise<ServiceAnswer> {
  const found = await store.readWithKey(connectionId);
  if (found?.connection.baseUrl !== baseUrl) return { status: 0, problem: 'no_connection' };
  if (!(await permitted(baseUrl))) return { status: 0, problem: 'permission' };
  // If the rule cannot be added, calls are still safe, because none of them creates a link.
  if (!isIdempotent(found.connection)) await closeConnections(baseUrl).catch(() => undefined);
  const ask = (init: Pick<RequestInit, 'method' | 'body'>) =>
    askOnce(fetch, `${baseUrl}/api/v1/${path}`, found.apiKey, init);
  const answer = await ask({ method, ...(body && { body: JSON.stringify(body) }) });
  if (method !== 'DELETE') return answer;
  // A captive portal may answer 204 to anything. The service's own error for the same link proves that the service
  // deleted it.
  const check = answer.status === 204 ? await ask({ method: 'GET' }) : answer;
  const error = check.problem ? null : ownErrorCode(check.status, check.body);
  if (answer.status === 204 && !error) return { status: 0, problem: check.problem ?? 'not_understood' };
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
