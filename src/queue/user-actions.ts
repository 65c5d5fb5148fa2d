import { kindOf, needsLookUp } from '../servers/capabilities.ts';
import { newLimits, withOwnLimits } from './limits.ts';
import { KEY_REFUSALS, SERVER_REFUSALS, unblock } from './result.ts';
import { canLookUp, isPending, LARGEST_BATCH, withLookUp, withoutSuspicion } from './sending.ts';
import type { Connection, Problem, Queue, QueueState, Request } from './types.ts';

/**
 * Pauses or resumes a queue. Only the user can resume a paused queue. A request that is already being sent continues.
 */
export function setPaused(queue: Queue, isPaused: boolean): Queue {
  const { paused: _, ...resumed } = queue.state;
  return { ...queue, state: isPaused ? { ...resumed, paused: true } : resumed };
}

/** Removes requests from a queue, except those that are being sent. */
export function cancel(queue: Queue, ids: string[]): Queue {
  const canceled = new Set(ids);
  const requests = queue.requests.filter(({ id, state }) => !canceled.has(id) || state === 'sending');
  return requests.length === queue.requests.length ? queue : { ...queue, requests };
}

/**
 * Schedules a retry of a request, even if the request has reached its daily limit of automatic sends. If the server
 * refused the request, it gets a new idempotency key, and thus a new code. Other requests keep their keys, so that the
 * server can return an existing link.
 */
export function retry(queue: Queue, id: string, newKey: string): Queue {
  const requests = queue.requests.map((request): Request => {
    if (request.id !== id || request.state === 'sending') return request;
    const again = withoutDelay(request, queue.connection, true);
    // The user accepts that an uncertain request may create a second link.
    if (request.state === 'uncertain') return { ...again, state: 'waiting', mayExist: false, maxBatch: 1 };
    if (request.state !== 'failed') return again;
    // If a gateway refused the request, an earlier send may have created the link.
    if (request.problem?.code === 'gateway_refused') return { ...again, state: 'waiting' };
    return { ...notSent(request), state: 'waiting', idempotencyKey: newKey };
  });
  return endGuessedDelay({ ...queue, requests });
}

/** Returns the request as if it had never been sent. */
export function notSent({ sent: _, ...request }: Request): Request {
  return { ...request, attempts: 0, mayExist: false, retryAt: null, lookUpDue: false, maxBatch: LARGEST_BATCH };
}

/** Ends all delays except those that the server requested. */
export function tryNow(queue: Queue): Queue {
  const { connection, state, requests } = queue;
  const isAlone = requests.filter(({ mayExist }) => mayExist).length === 1;
  const isKeyRefused = KEY_REFUSALS.some((reason) => reason === state.blocked);
  return endGuessedDelay({
    ...queue,
    // If the server refused the API key, the extension checks the key before the next request. A null `serviceReadAt`
    // triggers this check.
    connection: isKeyRefused ? { ...connection, serviceReadAt: null } : connection,
    requests: requests.map((request) => (isPending(request) ? withoutDelay(request, connection, isAlone) : request)),
    state: unblock(state, ...SERVER_REFUSALS),
  });
}

/**
 * Ends the delay of a request. If its link may exist and the server can be asked, the link is first looked up.
 *
 * @param isAlone false if the requests of a lost batch are retried. Sending them again costs less time than looking up
 * each of their links.
 */
function withoutDelay(request: Request, connection: Connection, isAlone: boolean): Request {
  const again = { ...request, attempts: 0, retryAt: null };
  const mayExist = request.mayExist || request.state === 'uncertain';
  const isLookedUp = mayExist && canLookUp(request, connection) && (isAlone || needsLookUp(connection));
  return isLookedUp ? withLookUp(again, connection) : again;
}

/**
 * Ends the delay of a queue, except for a delay that the server requested. After refusals by the server, the failure
 * count is kept, so the next delay is longer.
 */
export function endGuessedDelay(queue: Queue): Queue {
  const { state } = queue;
  const { wait } = state;
  const requests = queue.requests.map((request) => (request.isSuspect ? withoutSuspicion(request) : request));
  if (!wait || wait.named) return { ...queue, requests };
  // The reason for the delay stays "unreachable", so that the extension checks the server's health before the next
  // send.
  const next = wait.reason === 'unreachable' ? { wait: { ...wait, until: 0 }, failures: 0 } : { wait: null };
  return { ...queue, requests, state: { ...state, ...next } };
}

/** Ends the delay of a queue whose server was unreachable. Called when the browser is back online. */
export function networkReturned(queue: Queue): Queue {
  return queue.state.wait?.reason === 'unreachable' ? endGuessedDelay(queue) : queue;
}

/** Leaves requests to the user, because sending them again could create second links. */
export function markUncertain(queue: Queue, ids: string[]): Queue {
  const requests = queue.requests.map((request): Request => {
    if (!ids.includes(request.id)) return request;
    return { ...request, state: 'uncertain', problem: request.problem ?? { code: 'interrupted', message: '' } };
  });
  return { ...queue, requests };
}

export const EMPTY_STATE: QueueState = {
  lastEndedAt: null,
  wait: null,
  failures: 0,
  blocked: null,
};

export function newQueue(connection: Connection): Queue {
  return { connection, state: EMPTY_STATE, limits: withOwnLimits(newLimits(), connection), requests: [] };
}

/**
 * Resumes a blocked queue after the user has saved the connection without changing its address or API key. Also ends
 * all delays except those that the server requested.
 */
export function connectionSaved(queue: Queue, connection: Connection): Queue {
  const limits = withOwnLimits(queue.limits, connection);
  return endGuessedDelay({
    ...queue,
    connection,
    limits,
    state: unblock(queue.state, 'key_missing', ...SERVER_REFUSALS),
  });
}

/**
 * Resets a queue after the user has changed the API key or the server address. Requests whose links may exist become
 * uncertain, because they cannot be repeated with a new key. Waiting requests are sent with the new key.
 */
export function reconnected(queue: Queue, connection: Connection): Queue {
  const { lastEndedAt, paused } = queue.state;
  const isElsewhere = connection.baseUrl !== queue.connection.baseUrl;
  const isOtherServer = isElsewhere || kindOf(connection) !== kindOf(queue.connection);
  // A queue with a new server address is no longer blocked. The next step checks whether the extension has permission
  // to access this address.
  const blocked = !isElsewhere && queue.state.blocked === 'permission' ? queue.state.blocked : null;
  const state = { ...EMPTY_STATE, lastEndedAt, blocked, ...(paused && { paused }) };
  const revision = (queue.connection.revision ?? 0) + 1;
  const next = { ...(isElsewhere ? withoutService(connection) : connection), revision };
  const requests = queue.requests.map((request) => forNewServer(withoutSuspicion(request), isOtherServer));
  return { connection: next, state, limits: withOwnLimits(newLimits(), next), requests };
}

/**
 * Removes the stored server features from a connection whose address or kind has changed. The new server may lack these
 * features, and relying on them could create duplicate links.
 */
export function withoutService({ listRead, ...connection }: Connection): Connection {
  return { ...connection, service: null, serviceReadAt: null, lastSeenWellAt: null };
}

const INTERRUPTED: Problem = { code: 'interrupted', message: '' };

/** Prepares a request for a new API key, or for a new server. */
function forNewServer(request: Request, isOtherServer: boolean): Request {
  const { sent: _, ...notSentHere } = request;
  if (request.state === 'failed') return request;
  const isInterrupted = request.state === 'sending';
  // The code of a request whose link may exist does not change, because the user may have copied the short URL.
  if (!isInterrupted && !request.mayExist && request.state !== 'uncertain') return notSent(request);
  const problem = isInterrupted || !request.problem ? INTERRUPTED : request.problem;
  return { ...(isOtherServer ? notSentHere : request), state: 'uncertain', problem };
}
