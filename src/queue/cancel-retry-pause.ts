import { blockFor, isKeyProblem, unblock } from './block-reasons.ts';
import { resetDefaultExpiry } from './default-expiry.ts';
import { wasNotDelivered } from './results/gateway-responses.ts';
import type { Attempt, Queue, Request } from './types.ts';

/** Pauses a queue for the user, or resumes it. Only the user resumes it. A request that is being sent is not stopped. */
export function setPaused(queue: Queue, isPaused: boolean): Queue {
  if (Boolean(queue.state.onHold) === isPaused) return queue;
  const { onHold: _, ...resumed } = queue.state;
  return { ...queue, state: isPaused ? { ...resumed, onHold: true } : resumed };
}

/** Deletes requests. A request that is being sent cannot be canceled. */
export function cancel(queue: Queue, ids: string[]): Queue {
  const isCanceled = ({ id, state }: Request) => ids.includes(id) && state !== 'sending';
  const requests = queue.requests.filter((request) => !isCanceled(request));
  if (requests.length === queue.requests.length) return queue;
  // A batch with other requests stays open. It is sent again unchanged, because its key belongs to these bytes.
  return { ...queue, requests, attempts: withRequests(queue.attempts, requests) };
}

/** Returns the attempts that still have a request. */
export function withRequests(attempts: Attempt[], requests: Request[]): Attempt[] {
  const present = new Set(requests.map(({ id }) => id));
  return attempts.filter(({ requestIds }) => requestIds.some((id) => present.has(id)));
}

/**
 * Sends a request again at once, even if it was sent often. An uncertain request keeps its idempotency key, so that a
 * service with idempotency returns the first link. A failed request gets a new key. An unanswered request is sent with
 * its whole attempt.
 */
export function retry(queue: Queue, id: string, newKey: string): Queue {
  const attempt = queue.attempts.find(({ requestIds }) => requestIds.includes(id));
  const memberIds = attempt?.requestIds ?? [id];
  const requests = queue.requests.map((request): Request => {
    if (!memberIds.includes(request.id)) return request;
    if (request.state === 'failed') return asNew(request, newKey);
    if (request.state === 'undecided') return { ...request, state: 'waiting', attempts: 0, sends: [], alone: true };
    return { ...request, sends: [] };
  });
  return endGuessedDelay({
    ...queue,
    requests,
    attempts: queue.attempts.map((one) => (one === attempt ? withoutDelay(one) : one)),
  });
}

function asNew(request: Request, newKey: string): Request {
  return { ...resetDefaultExpiry(request), state: 'waiting', attempts: 0, sends: [], idempotencyKey: newKey };
}

/** Lets requests wait again that failed because of their connection, after the user fixed it. */
export function requeueFailed(queue: Queue, newKey: () => string): Queue {
  const requests = queue.requests.map((request) => (failedByConnection(request) ? asNew(request, newKey()) : request));
  return { ...queue, requests };
}

/** True if a request failed because of its connection, not because of its URL. */
export function failedByConnection({ state, problem }: Request): boolean {
  return state === 'failed' && problem !== null && blockFor(problem.code) !== null;
}

/** Ends all delays that were guessed, and resets the daily cap of each request. Delays that the service asked for stay. */
export function tryNow(queue: Queue): Queue {
  const { connection, attempts, requests, state } = queue;
  return endGuessedDelay({
    ...queue,
    // A probe checks a refused key before anything is sent.
    connection: isKeyProblem(state.halt) ? { ...connection, serviceReadAt: null } : connection,
    attempts: attempts.map((attempt) => (attempt.inFlight ? attempt : withoutDelay(attempt))),
    requests: requests.map((request) =>
      request.state === 'waiting' || request.state === 'unanswered' ? { ...request, sends: [] } : request,
    ),
    state: unblock(state, 'user_retries'),
  });
}

/** Ends the delay of an attempt. A look-up comes first, because the service may have processed it by now. */
function withoutDelay(attempt: Attempt): Attempt {
  return { ...attempt, parkedUntil: null, lookUpDue: true };
}

/** Ends a delay whose length was guessed, and the doubt that a page which answers probes is the service. The back-off keeps growing after refusals, because each try costs quota. */
export function endGuessedDelay(queue: Queue): Queue {
  const { isDoubtful, ...state } = queue.state;
  const { pause } = state;
  if (!pause || pause.named) return isDoubtful ? { ...queue, state } : queue;
  // The reason stays after an outage, so that a probe comes before the next send.
  const next = pause.reason === 'unreachable' ? { pause: { ...pause, until: 0 }, failures: 0 } : { pause: null };
  return { ...queue, state: { ...state, ...next } };
}

/** Ends the delay of a queue that was unreachable, because the network is back. */
export function networkReturned(queue: Queue): Queue {
  return queue.state.pause?.reason === 'unreachable' ? endGuessedDelay(queue) : queue;
}

/** Ends attempts that cannot be sent again safely, and lets the user decide about their requests. Default: all attempts. */
export function markUncertain(queue: Queue, attemptIds?: string[]): Queue {
  const lost = attemptIds ? queue.attempts.filter(({ id }) => attemptIds.includes(id)) : queue.attempts;
  if (lost.length === 0) return queue;
  // Requests that never reached the service continue to wait.
  const ids = new Set(lost.filter((attempt) => !wasNotDelivered(attempt)).flatMap(({ requestIds }) => requestIds));
  return {
    ...queue,
    attempts: queue.attempts.filter((attempt) => !lost.includes(attempt)),
    requests: queue.requests.map((request) =>
      ids.has(request.id) && request.state !== 'failed' ? uncertain(request) : request,
    ),
  };
}

/** Lets requests fail whose links would expire before they are created. */
export function expire(queue: Queue, ids: string[]): Queue {
  const requests = queue.requests.map(
    (request): Request =>
      ids.includes(request.id) && request.state === 'waiting'
        ? { ...request, state: 'failed', problem: { code: 'expired', message: '' } }
        : request,
  );
  return { ...queue, requests };
}

/** Returns the request as uncertain. If no other problem is known, its sending was interrupted. */
export function uncertain(request: Request): Request {
  const isKnown = request.state !== 'sending' && request.problem !== null;
  const problem = isKnown ? request.problem : ({ code: 'interrupted', message: '' } as const);
  return { ...request, state: 'undecided', problem };
}
