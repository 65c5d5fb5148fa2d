import { type ListedRequest, needsUser } from '../../queue/status/request-status.ts';
import type { Queue } from '../../queue/types.ts';

/** Problems and waiting requests of all queues, for the popup's header. */
export interface Health {
  /** `danger` if the user must act, `warning` if the problem ends automatically. Null if all is well. */
  tone: 'danger' | 'warning' | null;
  /** Number of requests that have no link yet. */
  waiting: number;
  /** Number of requests that the user must decide about. */
  needUser: number;
}

export function healthOf(queues: Queue[], requests: ListedRequest[]): Health {
  const needUser = queues.flatMap((queue) => queue.requests.filter(needsUser(queue))).length;
  const isBlocked = queues.some(({ state }) => state.halt !== null);
  const isDelayed = queues.some(({ state }) => state.pause !== null && !state.pause.named);
  const isRetrying = requests.some(({ status }) => 'reason' in status && status.reason === 'parked');
  const tone = needUser > 0 || isBlocked ? 'danger' : isDelayed || isRetrying ? 'warning' : null;
  return { tone, waiting: requests.length, needUser };
}
