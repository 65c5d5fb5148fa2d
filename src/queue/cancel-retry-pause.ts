import { blockFor, isKeyProblem, unblock } from './block-reasons.ts';
import { resetDefaultExpiry } from './default-expiry.ts';
import { wasNotDelivered } from './results/gateway-responses.ts';
import { type CodeGeneration, withOtherCode } from './short-code-generator.ts';
import type { Attempt, Queue, Request } from './types.ts';

/**
 * Pauses or resumes a queue. Only the user can resume a paused queue. A request that is already being sent continues.
 */
export function setPaused(queue: Queue, isPaused: boolean): Queue {
  if (Boolean(queue.state.paused) === isPaused) return queue;
  const { paused: _, ...resumed } = queue.state;
  return { ...queue, state: isPaused ? { ...resumed, paused: true } : resumed };
}

/** Removes requests from a queue, except those that are being sent. */
export function cancel(queue: Queue, ids: string[]): Queue {
  const isCanceled = ({ id, state }: Request) => ids.includes(id) && state !== 'sending';
  const requests = queue.requests.filter((request) => !isCanceled(request));
  if (requests.length === queue.requests.length) return queue;
  // A batch that was already sent still contains the canceled request, because a repeated batch must be identical.
  return { ...queue, requests, attempts: withRequests(queue.attempts, requests) };
}

/** Returns the send attempts that still contain at least one of the requests. */
export function withRequests(attempts: Attempt[], requests: Request[]): Attempt[] {
  const present = new Set(requests.map(({ id }) => id));
  return attempts.filter(({ requestIds }) => requestIds.some((id) => present.has(id)));
}

/**
 * Schedules a retry of a request, even if the request has reached its daily limit of automatic sends. If the
 * server refused the request, it gets a new idempotency key. Other requests keep their keys, so that the server can
 * return an existing link. If the request was sent in a batch, the whole batch is retried.
 */
export function retry(queue: Queue, id: string, { newKey, randomBytes }: CodeGeneration): Queue {
  const attempt = queue.attempts.find(({ requestIds }) => requestIds.includes(id));
  const memberIds = attempt?.requestIds ?? [id];
  const requests = queue.requests.map((request): Request => {
    if (!memberIds.includes(request.id)) return request;
    const again: Request = { ...request, state: 'waiting', attempts: 0, sends: [] };
    if (request.state === 'uncertain') return { ...again, alone: true };
    if (request.state !== 'failed') return { ...request, sends: [] };
    // If a gateway refused the request, an earlier send may have created the link.
    if (request.problem?.code === 'gateway_refused') return again;
    const isCodeTaken = request.problem?.code === 'generated_code_taken';
    const retried = isCodeTaken ? withOtherCode(request, queue.connection, randomBytes) : request;
    return asNew(retried, newKey());
  });
  return endGuessedDelay({
    ...queue,
    requests,
    attempts: queue.attempts.map((one) => (one === attempt ? withoutDelay(one) : one)),
  });
}

function asNew(failed: Request, newKey: string): Request {
  const { domain: _, ...request } = failed;
  return { ...resetDefaultExpiry(request), state: 'waiting', attempts: 0, sends: [], idempotencyKey: newKey };
}

/** Requeues requests that failed because of a connection problem. Called after the user has fixed the problem. */
export function requeueFailed(queue: Queue, newKey: () => string): Queue {
  const requests = queue.requests.map((request) => (failedByConnection(request) ? asNew(request, newKey()) : request));
  return { ...queue, requests };
}

/** True if the request failed because of a connection problem rather than because of its URL. */
export function failedByConnection({ state, problem }: Request): boolean {
  return state === 'failed' && problem !== null && blockFor(problem.code) !== null;
}

/** Ends all delays except those that the server requested. Also resets the daily send count of each request. */
export function tryNow(queue: Queue): Queue {
  const { connection, attempts, requests, state } = queue;
  return endGuessedDelay({
    ...queue,
    // If the server refused the API key, the extension checks the key before the next request. A null `serviceReadAt`
    // triggers this check.
    connection: isKeyProblem(state.blocked) ? { ...connection, serviceReadAt: null } : connection,
    attempts: attempts.map((attempt) => (attempt.inFlight ? attempt : withoutDelay(attempt))),
    requests: requests.map((request) =>
      request.state === 'waiting' || request.state === 'unknown' ? { ...request, sends: [] } : request,
    ),
    state: unblock(state, 'user_retries'),
  });
}

/**
 * Ends the delay of a send attempt. The extension immediately checks whether the server has already created the link,
 * before it sends the attempt again.
 */
function withoutDelay({ lookUpAt: _, ...attempt }: Attempt): Attempt {
  return { ...attempt, parkedUntil: null, lookUpDue: true };
}

/**
 * Ends the delay of a queue, except for a delay that the server requested. After refusals by the server, the failure
 * count is kept, so the next delay is longer.
 */
export function endGuessedDelay(queue: Queue): Queue {
  const { isDoubtful, ...state } = queue.state;
  const { wait } = state;
  if (!wait || wait.named) return isDoubtful ? { ...queue, state } : queue;
  // The reason for the delay stays "unreachable", so that the extension checks the server's health before the next
  // send.
  const next = wait.reason === 'unreachable' ? { wait: { ...wait, until: 0 }, failures: 0 } : { wait: null };
  return { ...queue, state: { ...state, ...next } };
}

/** Ends the delay of a queue whose server was unreachable. Called when the browser is back online. */
export function networkReturned(queue: Queue): Queue {
  return queue.state.wait?.reason === 'unreachable' ? endGuessedDelay(queue) : queue;
}

/**
 * Removes send attempts that cannot be repeated safely, and marks their requests as uncertain, so that the user
 * decides what to do.
 *
 * @param attemptIds ids of the attempts; by default, all attempts
 */
export function markUncertain(queue: Queue, attemptIds?: string[]): Queue {
  const lost = attemptIds ? queue.attempts.filter(({ id }) => attemptIds.includes(id)) : queue.attempts;
  if (lost.length === 0) return queue;
  // Requests that never reached the server remain waiting.
  const ids = new Set(lost.filter((attempt) => !wasNotDelivered(attempt)).flatMap(({ requestIds }) => requestIds));
  return {
    ...queue,
    attempts: queue.attempts.filter((attempt) => !lost.includes(attempt)),
    requests: queue.requests.map((request) =>
      ids.has(request.id) && request.state !== 'failed' ? uncertain(request) : request,
    ),
  };
}

/** Marks waiting requests as failed because their links would expire before the server could create them. */
export function expire(queue: Queue, ids: string[]): Queue {
  const requests = queue.requests.map(
    (request): Request =>
      ids.includes(request.id) && request.state === 'waiting'
        ? { ...request, state: 'failed', problem: { code: 'expired', message: '' } }
        : request,
  );
  return { ...queue, requests };
}

/**
 * Marks the result of a request as uncertain. The problem becomes `interrupted` if the request was being sent or has
 * no recorded problem.
 */
export function uncertain(request: Request): Request {
  const isKnown = request.state !== 'sending' && request.problem !== null;
  const problem = isKnown ? request.problem : ({ code: 'interrupted', message: '' } as const);
  return { ...request, state: 'uncertain', problem };
}
