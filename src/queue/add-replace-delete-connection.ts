import { unblock } from './block-reasons.ts';
import {
  endGuessedPause,
  failedByConnection,
  markUncertain,
  pausedByRequests,
  requeueFailed,
  uncertain,
} from './cancel-retry-pause.ts';
import { newQuota } from './limits/daily-quota.ts';
import { sortByQueueOrder } from './queue-order.ts';
import { withoutCode } from './short-code-generator.ts';
import type { Connection, LinkOptions, Queue, QueueState, Request } from './types.ts';

/** The state of a queue that nothing was ever sent from. */
export const EMPTY_STATE: QueueState = {
  lastEndedAt: null,
  pause: null,
  failures: 0,
  probeDue: false,
  halt: null,
  latestTime: 0,
};

/** The queue of a connection that has just been added. */
export function newQueue(connection: Connection): Queue {
  return { connection, state: EMPTY_STATE, budget: newQuota(), attempts: [], requests: [] };
}

/** The options of a request that asks for nothing beyond its URL. */
export const NO_OPTIONS: LinkOptions = { shortCode: null, title: null, expiresAt: null };

/** The same address and key were saved again: what waited for that goes on. What the service asked for stays. */
export function connectionSaved(queue: Queue, connection: Connection, newKey: () => string): Queue {
  const saved = { ...queue, connection, state: unblock(queue.state, 'connection_saved') };
  return endGuessedPause(requeueFailed(saved, newKey));
}

/**
 * Another key, or another address: another budget, and nothing known of the service's state. What was sent without an
 * answer cannot be asked for with this key, so the person decides; what waits goes out under it.
 */
export function reconnected(queue: Queue, connection: Connection, newKey: () => string): Queue {
  const { lastEndedAt, latestTime, onHold } = queue.state;
  const isElsewhere = connection.baseUrl !== queue.connection.baseUrl;
  // Access to another address is another question: whoever sends next asks it.
  const halt = isElsewhere ? null : queue.state.halt;
  const left = markUncertain(queue);
  const state = unblock(
    { ...EMPTY_STATE, lastEndedAt, latestTime, halt, ...(onHold && { onHold }) },
    'connection_saved',
  );
  const moved = isElsewhere
    ? { connection: unknownService(connection), requests: moveRequests(left.requests, connection.id) }
    : { connection, requests: left.requests };
  return requeueFailed({ ...left, ...moved, budget: newQuota(), state }, newKey);
}

/** What one service can do says nothing of another: relied on, it could make links twice. */
function unknownService({ listRead, ...connection }: Connection): Connection {
  return { ...connection, service: null, serviceReadAt: null, lastSeenWellAt: null };
}

/**
 * The requests of a queue whose connection is forgotten, as they come to another (null: to whichever is added next). What
 * may have been made at the old service is the person's to decide.
 */
export function moveRequests(requests: Request[], connectionId: string | null): Request[] {
  return requests.map((request) => {
    const isOpen = request.state === 'sending' || request.state === 'unanswered';
    const left = isOpen ? uncertain(request) : request;
    // A code belongs to its service. What may have been made under one is asked for by the same bytes again, and alone,
    // however often it moves.
    const isTurnedAway = left.state === 'waiting' && left.attempts > 0;
    const moved = left.state === 'undecided' || left.alone || isTurnedAway ? left : withoutCode(left);
    const alone = (left.alone || isTurnedAway) && moved.minted !== undefined;
    return { ...moved, connectionId, attempts: 0, sends: [], alone };
  });
}

/**
 * Takes in requests of another queue, or of none. What the person had put on hold does not go out because it has moved: the
 * queue is on hold from when it waits there.
 */
export function adoptRequests(queue: Queue, requests: Request[]): Queue {
  if (requests.length === 0) return queue;
  const moved = moveRequests(requests, queue.connection.id);
  return pausedByRequests({ ...queue, requests: [...queue.requests, ...moved].sort(sortByQueueOrder) });
}

/**
 * The requests of a queue whose connection is about to be forgotten, as they leave it. Whatever has an open attempt may have been
 * made here; what waited on hold remembers it, and what a save lets wait again. What needs the person does so anywhere.
 */
export function removeConnection(queue: Queue): Request[] {
  const { requests, state } = markUncertain(queue);
  const isHeld = (request: Request) => state.onHold && (request.state === 'waiting' || failedByConnection(request));
  return requests.map((request) => (isHeld(request) ? { ...request, onHold: true } : request));
}
