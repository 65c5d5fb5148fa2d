import { supportsBatches } from '../services/service-adapter.ts';
import { batchItemOf, itemOf, splitIntoChunks } from './batch-requests.ts';
import { startDefaultExpiry } from './default-expiry.ts';
import { AUTOMATIC_SENDS_PER_DAY, recordSend, sendNow, serviceTime } from './limits/daily-quota.ts';
import { codesOf, withoutCode } from './short-code-generator.ts';
import type { Attempt, Connection, Queue, Request, Time } from './types.ts';

/**
 * Starts an attempt: its requests become `sending`, and the quota is charged. The result must be stored before anything
 * is sent.
 *
 * @param id id of the new attempt
 * @throws RangeError if a request does not exist
 */
export function startAttempt(queue: Queue, requestIds: string[], id: string, time: Time): Queue {
  // The service may no longer accept our codes, so they are left out.
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

/** Sends an open attempt again, with the same bytes and key. It is charged again. */
export function resendAttempt(queue: Queue, attemptId: string, time: Time): Queue {
  return send(queue, attemptId, time);
}

/**
 * Splits a batch that failed because of one request. After the first send, the chunks have the size of the square root.
 * After that, each request is sent alone. Each request keeps its key, so none is created twice.
 *
 * @param requests requests of the attempt, without canceled ones
 */
export function splitAttempt(attempt: Attempt, requests: Request[], connection: Connection): Attempt[] {
  // The third send is the last automatic one of the day, so the faulty request must be alone by then.
  const size = attempt.sends > 1 || requests.length <= 3 ? 1 : Math.ceil(Math.sqrt(requests.length));
  return splitIntoChunks(requests, size).map((part, index) => partOf(attempt, part, connection, index + 1));
}

/** Returns some requests of an attempt as a separate attempt without a delay. They keep their keys. */
export function partOf(attempt: Attempt, requests: Request[], connection: Connection, number: number): Attempt {
  const id = `${attempt.id}.${number}`;
  const requestIds = requests.map((request) => request.id);
  return { ...attempt, id, requestIds, ...postOf(connection, requests, id), suspect: false, parkedUntil: null };
}

/**
 * True if each request of a batch was sent with an item key. Version 0.1.0 sent batches without them. Such a batch must
 * not be split, because its links would be created again.
 */
export function hasItemKeys({ body }: Attempt): boolean {
  const { urls = [] }: { urls?: { idempotencyKey?: string }[] } = JSON.parse(body);
  return urls.length > 0 && urls.every(({ idempotencyKey }) => idempotencyKey !== undefined);
}

type Post = Pick<Attempt, 'path' | 'idempotencyKey' | 'body'>;

/** Builds the POST of an attempt. A batch has the attempt's id as its idempotency key. */
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
 * Builds the POST of a single request. The versioned endpoint is used for options, and if the request may have been in
 * a batch. All services support the other one.
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
    // If the end of this send is never seen, the throttle counts from here.
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
