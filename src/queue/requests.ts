import { haltBy } from './halt.ts';
import { openAttempt } from './next.ts';
import type { Request, Snapshot, Time } from './types.ts';

/** A wish, as a page or a menu utters it. */
export interface Wish {
  id: string;
  url: string;
  title: string;
  private: boolean;
}

/** Accepts a wish. One that is there already changes nothing: by its id, or by a URL that is on its way. */
export function accept(snapshot: Snapshot, wish: Wish, idempotencyKey: string, time: Time): Snapshot {
  const repeating = openAttempt(snapshot)?.requestIds ?? [];
  const isSame = ({ id, url, state, private: isPrivate }: Request) =>
    id === wish.id ||
    (url === wish.url &&
      isPrivate === wish.private &&
      (state === 'waiting' || state === 'sending' || repeating.includes(id)));
  if (snapshot.requests.some(isSame)) return snapshot;
  const request: Request = {
    ...wish,
    state: 'waiting',
    createdAt: time.now,
    idempotencyKey,
    attempts: 0,
    problem: null,
  };
  return { ...snapshot, requests: [...snapshot.requests, request] };
}

/** Gives a request up. One that is being sent cannot be called back: the snapshot comes back as it was. */
export function cancel(snapshot: Snapshot, id: string): Snapshot {
  const requests = snapshot.requests.filter((request) => request.id !== id || request.state === 'sending');
  const attempt = snapshot.queue.attempt;
  // A batch stays open for its other requests, and is repeated whole: its key stands for these bytes.
  const wanted = attempt?.requestIds.some((member) => requests.some((request) => request.id === member));
  return { ...snapshot, requests, queue: { ...snapshot.queue, attempt: wanted ? attempt : null } };
}

/**
 * Sends a failed or unknown request again, because the person says so. An unknown one keeps its key, so that a service
 * that honours keys still answers with the first link; a failed one was answered, and needs a new key to be asked anew.
 */
export function retry(snapshot: Snapshot, id: string, newKey: string): Snapshot {
  const repeats = openAttempt(snapshot)?.requestIds.includes(id);
  const requests = snapshot.requests.map((request): Request => {
    if (request.id !== id) return request;
    if (request.state === 'failed') return asNew(request, newKey);
    if (request.state === 'unknown' && !repeats) return { ...request, state: 'waiting' };
    return request;
  });
  return resume({ ...snapshot, requests });
}

/** A request that was answered, to be asked anew. */
function asNew(request: Request, newKey: string): Request {
  return { ...request, state: 'waiting', attempts: 0, idempotencyKey: newKey };
}

/** The person has mended the connection: what failed by it alone waits again. */
export function mended(snapshot: Snapshot, newKey: () => string): Snapshot {
  const requests = snapshot.requests.map((request) => {
    const mends = request.state === 'failed' && request.problem !== null && haltBy(request.problem.code) !== null;
    return mends ? asNew(request, newKey()) : request;
  });
  return { ...snapshot, requests };
}

/**
 * The person asks to go on: what they had to mend is dropped, and so is a time that nobody told us. What the service asked
 * for stays, and so do throttle and budget. A guess after a refusal goes on growing: each try costs budget.
 */
export function resume(snapshot: Snapshot): Snapshot {
  const { queue } = snapshot;
  const pause = queue.pause?.told ? queue.pause : null;
  const failures = queue.pause && queue.pause.reason !== 'unreachable' ? queue.failures : 0;
  return { ...snapshot, queue: { ...queue, halt: null, failures, pause } };
}

/** The network came back: there is no reason to sit out a back-off that its absence caused. */
export function networkReturned(snapshot: Snapshot): Snapshot {
  if (snapshot.queue.pause?.reason !== 'unreachable') return snapshot;
  return { ...snapshot, queue: { ...snapshot.queue, pause: null, failures: 0 } };
}

/**
 * Another connection (or none) is in place. What was sent to the old service without an answer cannot be asked for at
 * the new one, so the person decides; what waits goes to the new one.
 */
export function connectionChanged(snapshot: Snapshot): Snapshot {
  const { attempt } = snapshot.queue;
  const keep = attempt?.inFlight || attempt?.connectionId === snapshot.connection?.id;
  return {
    ...snapshot,
    queue: { ...snapshot.queue, attempt: keep ? attempt : null, halt: null, pause: null, failures: 0 },
  };
}

/** No private window is open any more: what belongs to them is given up, but for what is on its way. */
export function privateEnded(snapshot: Snapshot): Snapshot {
  const requests = snapshot.requests.filter((request) => !request.private || request.state === 'sending');
  const { attempt } = snapshot.queue;
  const ends = attempt?.private && !attempt.inFlight;
  if (requests.length === snapshot.requests.length && !ends) return snapshot;
  return { ...snapshot, requests, queue: { ...snapshot.queue, attempt: ends ? null : attempt } };
}
