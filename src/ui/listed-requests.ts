import { type RequestStatus, requestStatuses, UNASSIGNED } from '../queue/request-status.ts';
import type { Connection, Request, Time } from '../queue/types.ts';
import type { QueuesView } from '../storage/view.ts';

/** A request that has not ended, where it stands, and whose it is; null: its connection was forgotten. */
export interface ListedRequest {
  request: Request;
  status: RequestStatus;
  connection: Connection | null;
  /** The quota of its connection, for "20 of 20 used". */
  limit: number;
}

/** The requests of every queue, decided once a queue; the default connection's first, oldest first. */
export function listRequests({ queues, unassigned }: QueuesView, time: Time, online: boolean): ListedRequest[] {
  const listed = queues.flatMap((queue) => {
    const statuses = requestStatuses(queue, time, online);
    const next = nextOf(queue.requests, statuses);
    return queue.requests.map((request) => {
      const status = statuses.get(request.id) ?? UNASSIGNED;
      const shown = request === next ? ({ ...status, reason: 'throttle' } as RequestStatus) : status;
      return { request, status: shown, connection: queue.connection, limit: queue.budget.quota.limit };
    });
  });
  return [...listed, ...unassigned.map((request) => ({ request, status: UNASSIGNED, connection: null, limit: 0 }))];
}

/** The request that nothing stands in the way of: it does not wait its turn, it is sent in a moment. */
function nextOf(requests: Request[], statuses: Map<string, RequestStatus>): Request | undefined {
  const isQueued = ({ id }: Request) => {
    const status = statuses.get(id);
    return status !== undefined && 'reason' in status && status.reason === 'queued';
  };
  return requests.some(({ state }) => state === 'sending') ? undefined : requests.find(isQueued);
}
