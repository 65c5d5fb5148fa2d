import type { CodeGeneration } from './codes.ts';
import { isKeyProblem, unblock } from './result.ts';
import { canLookUp, isPending, LARGEST_BATCH, withLookUp } from './sending.ts';
import type { Connection, Queue, Request } from './types.ts';

/**
 * Pauses or resumes a queue. Only the user can resume a paused queue. A request that is already being sent continues.
 */
export function setPaused(queue: Queue, isPaused: boolean): Queue {
  const { paused: _, ...resumed } = queue.state;
  return { ...queue, state: isPaused ? { ...resumed, paused: true } : resumed };
}

/** Removes requests from a queue, except those that are being sent. */
export function cancel(queue: Queue, ids: string[]): Queue {
  const requests = queue.requests.filter(({ id, state }) => !ids.includes(id) || state === 'sending');
  return requests.length === queue.requests.length ? queue : { ...queue, requests };
}

/**
 * Schedules a retry of a request, even if the request has reached its daily limit of automatic sends. If the server
 * refused the request, it gets a new idempotency key. Other requests keep their keys, so that the server can return an
 * existing link.
 */
export function retry(queue: Queue, id: string, { newKey }: CodeGeneration): Queue {
  const requests = queue.requests.map((request): Request => {
    if (request.id !== id || request.state === 'sending') return request;
    const again = withoutDelay(request, queue.connection);
    // The user accepts that an uncertain request may create a second link.
    if (request.state === 'uncertain') return { ...again, state: 'waiting', mayExist: false, maxBatch: 1 };
    if (request.state !== 'failed') return again;
    // If a gateway refused the request, an earlier send may have created the link.
    if (request.problem?.code === 'gateway_refused') return { ...again, state: 'waiting' };
    const { generatedCode: _, ...withoutCode } = request;
    const isCodeTaken = request.problem?.code === 'generated_code_taken';
    return { ...notSent(isCodeTaken ? withoutCode : request), state: 'waiting', idempotencyKey: newKey() };
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
  return endGuessedDelay({
    ...queue,
    // If the server refused the API key, the extension checks the key before the next request. A null `serviceReadAt`
    // triggers this check.
    connection: isKeyProblem(state.blocked) ? { ...connection, serviceReadAt: null } : connection,
    requests: requests.map((request) => (isPending(request) ? withoutDelay(request, connection) : request)),
    state: unblock(state, 'user_retries'),
  });
}

/** Ends the delay of a request. If its link may exist and the server can be asked, the link is first looked up. */
function withoutDelay(request: Request, connection: Connection): Request {
  const again = { ...request, attempts: 0, retryAt: null };
  const mayExist = request.mayExist || request.state === 'uncertain';
  return mayExist && canLookUp(request, connection) ? withLookUp(again, connection) : again;
}

/**
 * Ends the delay of a queue, except for a delay that the server requested. After refusals by the server, the failure
 * count is kept, so the next delay is longer.
 */
export function endGuessedDelay(queue: Queue): Queue {
  const state = { ...queue.state, suspects: [] };
  const { wait } = state;
  if (!wait || wait.named) return { ...queue, state };
  // The reason for the delay stays "unreachable", so that the extension checks the server's health before the next
  // send.
  const next = wait.reason === 'unreachable' ? { wait: { ...wait, until: 0 }, failures: 0 } : { wait: null };
  return { ...queue, state: { ...state, ...next } };
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
