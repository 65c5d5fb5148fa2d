import { HEADER } from '@terse/contract/headers';
import { parseRetryAfter } from '@terse/contract/retry-after';
import type { Message, ServiceAnswer } from '../messages/messages.ts';
import { isRedirect, readReported } from '../service/answer.ts';
import { readJson } from '../service/body.ts';
import { FETCH_DEFAULTS, type Fetch } from '../service/send.ts';
import type { Store } from '../storage/store.ts';

/** A person is waiting for it. */
const CALL_LIMIT_MS = 10_000;

/** Statuses after which a deleted link is no longer there: deleted now, unknown to this key, or deleted before. */
const IS_GONE = [204, 404, 410];

interface CallDependencies {
  store: Store;
  fetch: Fetch;
  permitted: (baseUrl: string) => Promise<boolean>;
  /** A POST may come after it on the same socket: see `connection-close.ts`. */
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
  let answer: ServiceAnswer;
  try {
    await closeConnections(baseUrl);
    const response = await fetch(`${baseUrl}/api/v1/${path}`, {
      ...FETCH_DEFAULTS,
      method,
      headers: {
        Accept: 'application/json',
        [HEADER.authorization]: `Bearer ${found.apiKey}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_LIMIT_MS),
    });
    if (isRedirect(response)) return { status: 0, problem: 'redirected' };
    const now = readReported(response.headers).date ?? Date.now();
    const waitSeconds = parseRetryAfter(response.headers.get(HEADER.retryAfter), now);
    answer = { status: response.status, body: await readJson(response), waitSeconds };
  } catch {
    return { status: 0, problem: 'unreachable' };
  }
  if (linkId && IS_GONE.includes(answer.status)) await store.removeLink(linkId);
  return answer;
}
