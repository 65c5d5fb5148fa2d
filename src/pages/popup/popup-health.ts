import { t } from '../../format/i18n.ts';
import { statusMessage } from '../../format/status-text.ts';
import { countRequests, isFaulty, type ListedRequest } from '../../queue/status/request-status.ts';
import type { Queue } from '../../queue/types.ts';

/** Problems and waiting requests of all queues, for the popup's header. */
export interface Health {
  /** `danger` if the user must act, `warning` if the extension retries automatically, null if there is no problem. */
  tone: 'danger' | 'warning' | null;
  /** Message about the problem. Empty if there is no problem. */
  message: string;
  /** Number of unfinished requests. The request that the popup already shows in detail is not counted. */
  all: number;
  /** Number of requests in `all` that need the user's action. */
  needUser: number;
}

/**
 * Returns the current problem and the request counts for the popup's header.
 *
 * @param shownId id of the request that the popup already shows in detail. This request is not counted, so that the
 * count does not change whenever the user shortens a page.
 */
export function healthOf(queues: Queue[], requests: ListedRequest[], shownId: string | null): Health {
  const isOther = ({ id }: { id: string }) => id !== shownId;
  const others = queues.map((queue) => ({ ...queue, requests: queue.requests.filter(isOther) }));
  const counts = countRequests({ queues: others });
  const isBlocked = queues.some(({ state }) => state.blocked !== null);
  if (isBlocked || countRequests({ queues }).needUser > 0) {
    return { ...counts, tone: 'danger', message: t('actionNeeded') };
  }
  const delay = queues.map(({ state }) => state.wait).find((wait) => wait && !wait.named);
  const isRetrying = requests.some(({ request, status }) => isFaulty(status, request.problem));
  const reason = delay?.reason ?? (isRetrying ? 'delayed' : null);
  if (reason === null) return { ...counts, tone: null, message: '' };
  return { ...counts, tone: 'warning', message: statusMessage({ kind: 'waiting', reason, at: null }, null, 0) };
}
