import { unblock } from './block-reasons.ts';
import { endGuessedDelay, markUncertain, requeueFailed, setPaused, uncertain } from './cancel-retry-pause.ts';
import { newQuota } from './limits/daily-quota.ts';
import { sortByQueueOrder } from './queue-order.ts';
import { withoutCode } from './short-code-generator.ts';
import type { Connection, LinkOptions, Queue, QueueState, Request } from './types.ts';

/** State of a queue that has never sent anything. */
export const EMPTY_STATE: QueueState = {
  lastEndedAt: null,
  pause: null,
  failures: 0,
  probeDue: false,
  halt: null,
  latestTime: 0,
};

/** Returns the queue of a new connection. */
export function newQueue(connection: Connection): Queue {
  return { connection, state: EMPTY_STATE, budget: newQuota(), attempts: [], requests: [] };
}

/** Options of a request for which the user chose none. */
export const NO_OPTIONS: LinkOptions = { shortCode: null, title: null, expiresAt: null };

/** Updates a queue after the user saved the same address and key again: it unblocks, and guessed delays end. */
export function connectionSaved(queue: Queue, connection: Connection, newKey: () => string): Queue {
  const saved = { ...queue, connection, state: unblock(queue.state, 'connection_saved') };
  return endGuessedDelay(requeueFailed(saved, newKey));
}

/**
 * Updates a queue after the user changed the key or the address. It gets a new quota and state. Open attempts become
 * uncertain, because they cannot be repeated with the new key. Waiting requests are sent with the new key.
 */
export function reconnected(queue: Queue, connection: Connection, newKey: () => string): Queue {
  const { lastEndedAt, latestTime, onHold } = queue.state;
  const isElsewhere = connection.baseUrl !== queue.connection.baseUrl;
  // The next send checks the permission for another address.
  const halt = isElsewhere ? null : queue.state.halt;
  const ended = markUncertain(queue);
  const state = unblock(
    { ...EMPTY_STATE, lastEndedAt, latestTime, halt, ...(onHold && { onHold }) },
    'connection_saved',
  );
  const moved = isElsewhere
    ? { connection: withoutService(connection), requests: moveRequests(ended.requests, connection.id) }
    : { connection, requests: ended.requests };
  return requeueFailed({ ...ended, ...moved, budget: newQuota(), state }, newKey);
}

/** Returns the connection without what the previous service could do. Relying on it could create links twice. */
function withoutService({ listRead, ...connection }: Connection): Connection {
  return { ...connection, service: null, serviceReadAt: null, lastSeenWellAt: null };
}

/**
 * Moves requests of a deleted connection to another one, or to none (null). Requests that the old service may have processed
 * become uncertain.
 */
export function moveRequests(requests: Request[], connectionId: string | null): Request[] {
  return requests.map((request) => {
    const isOpen = request.state === 'sending' || request.state === 'unanswered';
    const ended = isOpen ? uncertain(request) : request;
    // A request that may have been created is sent again with the same bytes and alone, so it keeps its short code.
    const wasTurnedAway = ended.state === 'waiting' && ended.attempts > 0;
    const moved = ended.state === 'undecided' || ended.alone || wasTurnedAway ? ended : withoutCode(ended);
    const alone = (ended.alone || wasTurnedAway) && moved.minted !== undefined;
    return { ...moved, connectionId, attempts: 0, sends: [], alone };
  });
}

/** Adds requests of a deleted connection to a queue. */
export function adoptRequests(queue: Queue, requests: Request[]): Queue {
  if (requests.length === 0) return queue;
  const moved = moveRequests(requests, queue.connection.id);
  return { ...queue, requests: [...queue.requests, ...moved].sort(sortByQueueOrder) };
}

/** Adds the requests of a queue that is deleted. If the user had paused that queue, this one is paused too. */
export function takeOver(queue: Queue, deleted: Queue): Queue {
  const { requests, state } = markUncertain(deleted);
  const adopted = adoptRequests(queue, requests);
  return state.onHold && requests.length > 0 ? setPaused(adopted, true) : adopted;
}
