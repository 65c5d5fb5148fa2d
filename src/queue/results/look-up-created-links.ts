import { FEATURE } from '@terse/contract/service-capabilities';
import { hasFeature, type LookedUp } from '../../services/service-adapter.ts';
import { withRequests } from '../cancel-retry-pause.ts';
import type { Attempt, Link, Queue, Request, Time } from '../types.ts';
import { type AppliedResult, linkOf } from './apply-result.ts';
import { wasNotDelivered } from './gateway-responses.ts';

/* Looks up the short codes of requests that got no response. The look-up shows at no cost if the links exist. */

/** Maximum number of short codes that are looked up, each with one GET. A larger batch is sent again instead. */
const MAX_CODES = 10;

/** True if the server may have created links for the attempt and supports looking up their short codes. */
export function isLookUpDue(attempt: Attempt, { connection, requests }: Queue): boolean {
  if (!attempt.lookUpDue || attempt.inFlight || wasNotDelivered(attempt) || !hasFeature(connection, FEATURE.links))
    return false;
  const codes = codesToLookUp(attempt, requests).size;
  return codes > 0 && codes <= MAX_CODES;
}

/** Returns the short codes that an attempt requested, by request id. */
export function codesToLookUp({ requestIds }: Attempt, requests: Request[]): Map<string, string> {
  const members = requests.filter(({ id }) => requestIds.includes(id));
  return new Map(
    members.flatMap(({ id, options, minted }): [string, string][] => {
      const code = options.shortCode ?? minted?.code;
      return code === undefined ? [] : [[id, code]];
    }),
  );
}

/**
 * Updates a queue after looking up short codes. A found link counts only if its URL is the requested one. Requests
 * without a link will be sent again.
 */
export function applyLookUp(queue: Queue, attemptId: string, found: Map<string, LookedUp>, time: Time): AppliedResult {
  const attempt = queue.attempts.find(({ id }) => id === attemptId);
  if (!attempt || attempt.inFlight) return { queue, links: [] };
  const links: Link[] = [];
  const requests = queue.requests.filter((request) => {
    const link = attempt.requestIds.includes(request.id) ? found.get(request.id) : null;
    if (!link || !isSameUrl(link.url, request.url)) return true;
    links.push(linkOf(request, link.shortUrl, time, links.length));
    return false;
  });
  const looked = queue.attempts.map((one) => (one === attempt ? { ...attempt, lookUpDue: false } : one));
  const state = links.length > 0 ? { ...queue.state, failures: 0 } : queue.state;
  return { links, queue: { ...queue, requests, state, attempts: withRequests(looked, requests) } };
}

function isSameUrl(one: string, other: string): boolean {
  return URL.parse(one)?.href === URL.parse(other)?.href;
}
