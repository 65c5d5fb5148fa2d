import { supportsBatches } from '../services/service-adapter.ts';
import { batchItemOf, itemOf, splitIntoChunks } from './batch-requests.ts';
import { startDefaultExpiry } from './default-expiry.ts';
import { AUTOMATIC_SENDS_PER_DAY, recordSend, sendNow, serviceTime } from './limits/daily-quota.ts';
import { codesOf, withoutCode } from './short-code-generator.ts';
import type { Attempt, Connection, Queue, Request, Time } from './types.ts';

/**
 * Begins an attempt: the requests are `sending`, the attempt is open and the budget is charged. What this returns is
 * committed, in one transaction, before anything leaves.
 *
 * @param id of the attempt, new
 * @throws RangeError where no such request is there: `nextStep` never asks for that
 */
export function startAttempt(queue: Queue, requestIds: string[], id: string, time: Time): Queue {
  // A service may have stopped taking codes since: whatever was promised by then, the request itself goes out.
  const now = serviceTime(queue.budget, time);
  const prepared = queue.requests.map((request) => {
    if (!requestIds.includes(request.id)) return request;
    const dated = startDefaultExpiry(request, queue.connection, now);
    return codesOf(queue.connection) ? dated : withoutCode(dated);
  });
  const requests = requestIds.map((id) => prepared.find((request) => request.id === id));
  const [first] = requests;
  if (!first || !requests.every((request) => request !== undefined)) {
    throw new RangeError('No such request.');
  }
  const attempt: Attempt = {
    id,
    connectionId: queue.connection.id,
    requestIds,
    ...postOf(queue.connection, requests, id),
    firstSend: sendNow(queue.budget, time),
    private: first.private,
    inFlight: true,
    sends: 0,
    suspect: false,
    parks: 0,
    parkedUntil: null,
  };
  return send({ ...queue, requests: prepared, attempts: [...queue.attempts, attempt] }, id, time);
}

/** Sends an open attempt again: the same bytes under the same key, and one more charge. */
export function resendAttempt(queue: Queue, attemptId: string, time: Time): Queue {
  return send(queue, attemptId, time);
}

/**
 * Takes an attempt apart that failed because of one of its requests: after its first send into attempts of about the
 * square root of their number, and after that into single ones. Each request keeps its own key, so none is made twice.
 *
 * @param requests the attempt's, those that were given up left out
 */
export function splitAttempt(attempt: Attempt, requests: Request[], connection: Connection): Attempt[] {
  // The third send is the last of the day for its requests: the one at fault has to stand alone by then.
  const size = attempt.sends > 1 || requests.length <= 3 ? 1 : Math.ceil(Math.sqrt(requests.length));
  return splitIntoChunks(requests, size).map((part, index) => partOf(attempt, part, connection, index + 1));
}

/** Some requests of an attempt as an attempt of their own, not parked. Each keeps its key: what it made is not made again. */
export function partOf(attempt: Attempt, requests: Request[], connection: Connection, number: number): Attempt {
  const id = `${attempt.id}.${number}`;
  const requestIds = requests.map((request) => request.id);
  return { ...attempt, id, requestIds, ...postOf(connection, requests, id), suspect: false, parkedUntil: null };
}

/**
 * Whether each request of a batch went out under a key of its own. Where it did not (version 0.1.0 sent such batches), the
 * service knows the batch alone: taken apart, what it made would be made once more.
 */
export function hasItemKeys({ body }: Attempt): boolean {
  const { urls = [] }: { urls?: { idempotencyKey?: string }[] } = JSON.parse(body);
  return urls.length > 0 && urls.every(({ idempotencyKey }) => idempotencyKey !== undefined);
}

type Post = Pick<Attempt, 'path' | 'idempotencyKey' | 'body'>;

/** What goes out for requests that go together. A batch has its attempt's id as its key: no other has these bytes. */
function postOf(connection: Connection, requests: Request[], id: string): Post {
  const [only, ...others] = requests;
  if (only && others.length === 0) return single(only, connection);
  return {
    path: '/api/v1/urls/batch',
    idempotencyKey: id,
    body: JSON.stringify({ urls: requests.map(batchItemOf) }),
  };
}

/**
 * Options go to the versioned endpoint, and so does whatever may have been in a batch: it is known there by its key.
 * Otherwise the specification's own endpoint is enough, which every service has.
 */
function single(request: Request, connection: Connection): Post {
  const item = itemOf(request);
  const versioned = Object.keys(item).length > 1 || supportsBatches(connection);
  const path = versioned ? '/api/v1/urls' : '/api/shorten';
  return { path, idempotencyKey: request.idempotencyKey, body: JSON.stringify(item) };
}

function send(queue: Queue, attemptId: string, time: Time): Queue {
  const attempt = queue.attempts.find(({ id }) => id === attemptId);
  if (!attempt) throw new RangeError('No such attempt.');
  const sent: Attempt = {
    ...attempt,
    inFlight: true,
    suspect: false,
    lookUpDue: true,
    parkedUntil: null,
    sends: attempt.sends + 1,
  };
  const charge = sendNow(queue.budget, time);
  return {
    ...queue,
    // Should its end never be seen (its window closed, its worker killed), the pace counts from here.
    state: { ...queue.state, lastEndedAt: time.now },
    budget: recordSend(queue.budget, time),
    attempts: queue.attempts.map((one) => (one === attempt ? sent : one)),
    requests: queue.requests.map((request) =>
      attempt.requestIds.includes(request.id)
        ? {
            ...request,
            state: 'sending',
            attempts: request.attempts + 1,
            sends: [...request.sends, charge].slice(-AUTOMATIC_SENDS_PER_DAY),
          }
        : request,
    ),
  };
}
