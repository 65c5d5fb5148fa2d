import { itemOf } from './batch.ts';
import { debit, sendNow } from './budget.ts';
import { DAILY_SHARE } from './share.ts';
import type { Attempt, Queue, Request, Time } from './types.ts';

/**
 * Begins an attempt: the requests are `sending`, the attempt is open and the budget is charged. What this returns is
 * committed, in one transaction, before anything leaves.
 *
 * @param id of the attempt, new
 * @throws RangeError where no such request is there: `nextStep` never asks for that
 */
export function beginAttempt(queue: Queue, requestIds: string[], id: string, time: Time): Queue {
  const requests = requestIds.map((id) => queue.requests.find((request) => request.id === id));
  const [first] = requests;
  if (!first || !requests.every((request) => request !== undefined)) {
    throw new RangeError('An attempt needs requests that exist.');
  }
  const attempt: Attempt = {
    id,
    connectionId: queue.connection.id,
    requestIds,
    ...(requests.length === 1 ? single(first) : batch(first, requests)),
    firstSend: sendNow(queue.budget, time),
    private: first.private,
    inFlight: true,
    sends: 0,
    suspect: false,
    parks: 0,
    parkedUntil: null,
  };
  return send({ ...queue, attempts: [...queue.attempts, attempt] }, id, time);
}

/** Sends an open attempt again: the same bytes under the same key, and one more charge. */
export function repeatAttempt(queue: Queue, attemptId: string, time: Time): Queue {
  return send(queue, attemptId, time);
}

/** Options go to the versioned endpoint; without any the specification's own is enough, which every service has. */
function single(request: Request): Pick<Attempt, 'path' | 'idempotencyKey' | 'body'> {
  const item = itemOf(request);
  const path = Object.keys(item).length > 1 ? '/api/v1/urls' : '/api/shorten';
  return { path, idempotencyKey: request.idempotencyKey, body: JSON.stringify(item) };
}

function batch(first: Request, requests: Request[]): Pick<Attempt, 'path' | 'idempotencyKey' | 'body'> {
  return {
    path: '/api/v1/urls/batch',
    // Another body than the request by itself has. No request is the first of two batches, so no other has this key.
    idempotencyKey: `${first.idempotencyKey}.batch`,
    body: JSON.stringify({ urls: requests.map(itemOf) }),
  };
}

function send(queue: Queue, attemptId: string, time: Time): Queue {
  const attempt = queue.attempts.find(({ id }) => id === attemptId);
  if (!attempt) throw new RangeError('There is no such attempt.');
  const sent: Attempt = { ...attempt, inFlight: true, suspect: false, parkedUntil: null, sends: attempt.sends + 1 };
  const charge = sendNow(queue.budget, time);
  return {
    ...queue,
    // Should its end never be seen (its window closed, its worker killed), the pace counts from here.
    state: { ...queue.state, lastEndedAt: time.now },
    budget: debit(queue.budget, time),
    attempts: queue.attempts.map((one) => (one === attempt ? sent : one)),
    requests: queue.requests.map((request) =>
      attempt.requestIds.includes(request.id)
        ? {
            ...request,
            state: 'sending',
            attempts: request.attempts + 1,
            sends: [...request.sends, charge].slice(-DAILY_SHARE),
          }
        : request,
    ),
  };
}
