import { debit } from './budget.ts';
import type { Attempt, Request, Snapshot, Time } from './types.ts';

/**
 * Begins an attempt: the requests are `sending`, the attempt is open and the budget is charged. What this returns is
 * committed, in one transaction, before anything leaves.
 *
 * @throws RangeError where no such request, connection or budget is there: `nextAction` never asks for that
 */
export function beginAttempt(snapshot: Snapshot, requestIds: string[], time: Time): Snapshot {
  const { connection } = snapshot;
  const requests = requestIds.map((id) => snapshot.requests.find((request) => request.id === id));
  const [first] = requests;
  if (!connection || !first || !requests.every((request) => request !== undefined)) {
    throw new RangeError('An attempt needs a connection and requests that exist.');
  }
  return open(snapshot, newAttempt(connection.id, first, requests, time), time);
}

/** Sends the open attempt again: the same bytes under the same key, and one more charge. */
export function repeatAttempt(snapshot: Snapshot, time: Time): Snapshot {
  if (!snapshot.queue.attempt) throw new RangeError('There is no attempt to repeat.');
  return open(snapshot, snapshot.queue.attempt, time);
}

function newAttempt(connectionId: string, first: Request, requests: Request[], time: Time): Attempt {
  const common = {
    connectionId,
    requestIds: requests.map((request) => request.id),
    firstSentAt: time.now,
    private: first.private,
    inFlight: true,
  };
  if (requests.length === 1) {
    const body = JSON.stringify({ url: first.url });
    return { ...common, path: '/api/shorten', idempotencyKey: first.idempotencyKey, body };
  }
  return {
    ...common,
    path: '/api/v1/urls/batch',
    // Another body than the request by itself has. No request is the first of two batches, so no other has this key.
    idempotencyKey: `${first.idempotencyKey}.batch`,
    body: JSON.stringify({ urls: requests.map(({ url }) => ({ url })) }),
  };
}

function open(snapshot: Snapshot, attempt: Attempt, time: Time): Snapshot {
  if (!snapshot.budget) throw new RangeError('There is no budget to charge.');
  return {
    ...snapshot,
    queue: { ...snapshot.queue, attempt: { ...attempt, inFlight: true } },
    budget: debit(snapshot.budget, time),
    requests: snapshot.requests.map((request) =>
      attempt.requestIds.includes(request.id)
        ? { ...request, state: 'sending', attempts: request.attempts + 1 }
        : request,
    ),
  };
}
