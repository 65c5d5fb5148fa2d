import { linksOf } from '../servers/adapter.ts';
import { canRepeat, needsCodes, needsLookUp, supportsBatches } from '../servers/capabilities.ts';
import { batchItemOf, itemOf, splitIntoChunks } from './batch-requests.ts';
import { startDefaultExpiry } from './default-expiry.ts';
import { AUTOMATIC_SENDS_PER_DAY, recordSend } from './limits.ts';
import { codesOf, domainOf, withoutCode } from './short-code-generator.ts';
import type { Attempt, Connection, Queue, Request } from './types.ts';

/**
 * Starts a send attempt: its requests become `sending`, and the send counts against the quota. The returned queue
 * must be stored before the request is sent.
 *
 * @param id id of the new attempt
 * @throws RangeError if a request does not exist
 */
export function startAttempt(queue: Queue, requestIds: string[], id: string, now: number): Queue {
  const prepared = queue.requests.map((request) => {
    if (!requestIds.includes(request.id)) return request;
    const dated = startDefaultExpiry(
      { ...request, domain: domainOf(request, queue.connection) },
      queue.connection,
      now,
    );
    // The generated short code is removed if the server no longer supports generated codes.
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
    firstSentAt: now,
    inFlight: true,
    sends: 0,
    suspect: false,
    parks: 0,
    parkedUntil: null,
  };
  return send({ ...queue, requests: prepared, attempts: [...queue.attempts, attempt] }, id, now);
}

/**
 * Sends an attempt again with identical bytes and the same idempotency key. The repeated HTTP request also counts
 * against the quota.
 */
export function resendAttempt(queue: Queue, attemptId: string, now: number): Queue {
  return send(queue, attemptId, now);
}

/**
 * Splits a failed batch to find the request that causes the failure. The first split reduces the batch size to its
 * square root. The second split creates one attempt per request. Requests keep their idempotency keys, so no link is
 * created twice.
 *
 * @param requests requests of the attempt that have not been canceled
 */
export function splitAttempt(attempt: Attempt, requests: Request[], connection: Connection): Attempt[] {
  // Number of requests per part. The second split must separate all requests, because each request is sent
  // automatically only three times a day.
  const size = attempt.sends > 1 || requests.length <= 3 ? 1 : Math.ceil(Math.sqrt(requests.length));
  return splitIntoChunks(requests, size).map((part, index) => partOf(attempt, part, connection, index + 1));
}

/**
 * Returns a copy of an attempt that contains only the given requests. Any delay of the attempt is removed. The
 * requests keep their idempotency keys.
 */
export function partOf(attempt: Attempt, requests: Request[], connection: Connection, number: number): Attempt {
  const id = `${attempt.id}.${number}`;
  const requestIds = requests.map((request) => request.id);
  return { ...attempt, id, requestIds, ...postOf(connection, requests, id), suspect: false, parkedUntil: null };
}

/**
 * True if an attempt can be sent again without creating its links twice. If the server recognizes links by their
 * short codes, every link of the attempt must have a code.
 */
export function isRepeatable(attempt: Attempt, connection: Connection): boolean {
  if (!needsCodes(connection)) return canRepeat(connection);
  return linksOf(attempt).every(({ shortCode }) => shortCode !== undefined);
}

/**
 * Delay in milliseconds between a POST request and the first automatic look-up of the requested short codes. By then,
 * a server that requires look-ups has finished creating the links.
 */
const LOOK_UP_AFTER_MS = 15_000;

type Post = Pick<Attempt, 'path' | 'idempotencyKey' | 'body'>;

/** Builds the path, body and idempotency key of a POST. The idempotency key of a batch is the attempt's id. */
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
 * Builds the POST for a single request. `/api/shorten` is used only for a plain URL on a server that does not support
 * batches.
 */
function single(request: Request, connection: Connection): Post {
  const item = itemOf(request);
  const versioned = Object.keys(item).length > 1 || supportsBatches(connection);
  const path = versioned ? '/api/v1/urls' : '/api/shorten';
  return { path, idempotencyKey: request.idempotencyKey, body: JSON.stringify(item) };
}

function send(queue: Queue, attemptId: string, now: number): Queue {
  const attempt = queue.attempts.find(({ id }) => id === attemptId);
  if (!attempt) throw new RangeError('No such attempt.');
  const sent: Attempt = {
    ...attempt,
    inFlight: true,
    suspect: false,
    lookUpDue: true,
    ...(needsLookUp(queue.connection) && {
      lookUpAt: now + LOOK_UP_AFTER_MS,
      settledAt: now + LOOK_UP_AFTER_MS,
    }),
    parkedUntil: null,
    sends: attempt.sends + 1,
  };
  return {
    ...queue,
    // Start time of the HTTP request. The end time replaces this value when the HTTP request ends.
    state: { ...queue.state, lastEndedAt: now },
    limits: recordSend(queue.limits, now),
    attempts: queue.attempts.map((one) => (one === attempt ? sent : one)),
    requests: queue.requests.map((request) =>
      attempt.requestIds.includes(request.id)
        ? {
            ...request,
            state: 'sending',
            attempts: request.attempts + 1,
            sends: [...request.sends, now].slice(-AUTOMATIC_SENDS_PER_DAY),
          }
        : request,
    ),
  };
}
