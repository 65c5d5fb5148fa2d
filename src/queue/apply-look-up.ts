import type { Link as ServiceLink } from '@terse/contract/link';
import { withMembers } from './requests.ts';
import { linkOf, type Settled } from './settle.ts';
import type { Link, Queue, Time } from './types.ts';

/** A link as the service returned it under the code that was asked for; null if it has none. */
export type LookedUp = Pick<ServiceLink, 'url' | 'shortUrl'> | null;

/** Applies the result of a look-up. A link to another URL belongs to another request. Requests without a link are sent again. */
export function applyLookUp(queue: Queue, attemptId: string, found: Map<string, LookedUp>, time: Time): Settled {
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
  return { links, queue: { ...queue, requests, state, attempts: withMembers(looked, requests) } };
}

function isSameUrl(one: string, other: string): boolean {
  return URL.parse(one)?.href === URL.parse(other)?.href;
}
