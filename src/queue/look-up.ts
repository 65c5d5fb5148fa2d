import type { Found } from '../servers/adapter.ts';
import { needsCodes, needsLookUp } from '../servers/capabilities.ts';
import { backoff, MAX_SENDS, retryDelay } from './limits.ts';
import { type AppliedResult, codeTaken, linkOf } from './result.ts';
import type { Connection, Queue, Request } from './types.ts';

/**
 * Updates a queue after the extension has looked up the short code of a request. If the link exists, it is returned. If
 * it does not exist, the request is sent again.
 */
export function applyLookUp(queue: Queue, id: string, found: Found, now: number, random: number): AppliedResult {
  const request = queue.requests.find((one) => one.id === id);
  if (!request || (request.state !== 'waiting' && request.state !== 'unknown')) return { queue, links: [] };
  if (found.state === 'found') {
    const requests = queue.requests.filter((one) => one !== request);
    const state = { ...queue.state, failures: 0 };
    return { queue: { ...queue, requests, state }, links: [linkOf(request, found.shortUrl, now, 0)] };
  }
  const looked = afterLookUp(request, found, queue.connection, now, random);
  return { queue: { ...queue, requests: queue.requests.map((one) => (one === request ? looked : one)) }, links: [] };
}

function afterLookUp(request: Request, { state }: Found, connection: Connection, now: number, random: number): Request {
  if (state === 'taken' && needsCodes(connection)) return codeTaken(request);
  if (state !== 'unknown' || !needsLookUp(connection))
    return { ...request, lookUpDue: false, retryAt: now + retryDelay(request.attempts, random) };
  // Kutt with MySQL and thousands of links, for example, never gives a clear answer.
  const attempts = request.attempts + 1;
  if (attempts >= MAX_SENDS) return { ...request, state: 'uncertain' };
  return { ...request, attempts, retryAt: now + backoff(attempts, random) };
}
