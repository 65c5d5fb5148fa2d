import type { AttemptResult } from '../../servers/service-adapter.ts';
import { withRequests } from '../cancel-retry-pause.ts';
import type { Attempt, Link, Queue, Request } from '../types.ts';
import { linkOf } from './apply-result.ts';

interface Requests {
  queues: Queue[];
  unassigned: Request[];
}

/**
 * Applies the result of a send attempt after its connection has been deleted. Each created link completes its
 * request, even if the request is now in another queue. Requests that are being sent again are not changed.
 */
export function applyLateResult<T extends Requests>(
  all: T,
  attempt: Attempt,
  outcome: AttemptResult,
  now: number,
): { all: T; ended: { request: Request; link: Link }[] } {
  const ended: { request: Request; link: Link }[] = [];
  const withoutEnded = (requests: Request[]) =>
    requests.filter((request) => {
      const item = outcome.items[attempt.requestIds.indexOf(request.id)];
      if (item?.kind !== 'created' || request.state === 'sending') return true;
      ended.push({ request, link: { ...linkOf(request, item.shortUrl, now, ended.length), connectionId: null } });
      return false;
    });
  const queues = all.queues.map((queue) => {
    const requests = withoutEnded(queue.requests);
    if (requests.length === queue.requests.length) return queue;
    return { ...queue, requests, attempts: withRequests(queue.attempts, requests) };
  });
  return { all: { ...all, queues, unassigned: withoutEnded(all.unassigned) }, ended };
}
