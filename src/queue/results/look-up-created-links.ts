import { capabilitiesOf } from '../../services/known-service.ts';
import type { Found, NewLink } from '../../services/service-adapter.ts';
import { batchItemOf } from '../batch-requests.ts';
import { withRequests } from '../cancel-retry-pause.ts';
import type { Attempt, Link, Queue, Request, Time } from '../types.ts';
import { type AppliedResult, linkOf } from './apply-result.ts';
import { wasNotDelivered } from './gateway-responses.ts';

/* Looks up the short codes of unanswered requests, to find out whether the links exist. This costs no quota. */

/** Maximum number of short codes to look up, each with one GET. A larger batch is sent again instead. */
const MAX_CODES = 10;

/** True if the server supports looking up short codes and may have created links for the attempt. */
export function isLookUpDue(attempt: Attempt, { connection, requests }: Queue): boolean {
  if (!attempt.lookUpDue || attempt.inFlight || wasNotDelivered(attempt) || !capabilitiesOf(connection).find)
    return false;
  const codes = linksToLookUp(attempt, requests).size;
  return codes > 0 && codes <= MAX_CODES;
}

/** Returns the links with short codes that an attempt requested, by request id. */
export function linksToLookUp({ requestIds }: Attempt, requests: Request[]): Map<string, NewLink> {
  const members = requests.filter(({ id }) => requestIds.includes(id));
  const links = members.map((request) => [request.id, batchItemOf(request)] as const);
  return new Map(links.filter(([, { shortCode }]) => shortCode !== undefined));
}

/**
 * Updates a queue after a lookup of short codes. Requests without a link will be sent again.
 */
export function applyLookUp(queue: Queue, attemptId: string, found: Map<string, Found>, time: Time): AppliedResult {
  const attempt = queue.attempts.find(({ id }) => id === attemptId);
  if (!attempt || attempt.inFlight) return { queue, links: [] };
  const links: Link[] = [];
  const requests = queue.requests.filter((request) => {
    const link = attempt.requestIds.includes(request.id) ? found.get(request.id) : null;
    if (link?.state !== 'found') return true;
    links.push(linkOf(request, link.shortUrl, time, links.length));
    return false;
  });
  const looked = queue.attempts.map((one) => (one === attempt ? { ...attempt, lookUpDue: false } : one));
  const state = links.length > 0 ? { ...queue.state, failures: 0 } : queue.state;
  return { links, queue: { ...queue, requests, state, attempts: withRequests(looked, requests) } };
}
