import { blockFor, isKeyProblem, unblock } from './block-reasons.ts';
import { wasNotDelivered } from './results/gateway-responses.ts';
import { type Expiry, resetDefaultExpiry } from './default-expiry.ts';
import { type CodeGeneration, withCode } from './short-code-generator.ts';
import type { Attempt, LinkOptions, Queue, Request, Time } from './types.ts';

/** The person puts a queue on hold, or lets it go on. Nothing else lets it go on; what is on its way comes to its end. */
export function setPaused(queue: Queue, isOnHold: boolean): Queue {
  if (Boolean(queue.state.onHold) === isOnHold) return queue;
  if (isOnHold) return { ...queue, state: { ...queue.state, onHold: true } };
  return { ...queue, state: withoutPauseMark(queue.state), requests: queue.requests.map(withoutPauseMark) };
}

/** Puts a queue on hold where something waits in it that the person had put on hold in another. */
export function pausedByRequests(queue: Queue): Queue {
  const isHeld = queue.requests.some(({ onHold, state }) => onHold && state === 'waiting');
  return isHeld ? setPaused(queue, true) : queue;
}

/** Without the mark; the same object where it has none. */
export function withoutPauseMark<T extends { onHold?: true }>(one: T): Omit<T, 'onHold'> {
  if (!one.onHold) return one;
  const { onHold: _, ...rest } = one;
  return rest;
}

/** A new request, as a page or a menu asks for it. */
export interface NewRequest {
  /** Minted by who asks, so asking twice is accepting once. */
  id: string;
  groupId: string | null;
  url: string;
  title: string;
  options: LinkOptions;
  /** Default lifetime: see `Request`. */
  defaultExpiry?: Expiry;
  source: Request['source'];
  private: boolean;
}

/** The longest title kept, in UTF-16 units: pages may have titles of any length. */
const TITLE_LIMIT = 1_000;

/**
 * Accepts new requests. One that is there already changes nothing: by its id, or by an address that is on its way with
 * the same options.
 */
export function acceptRequests(queue: Queue, orders: NewRequest[], minting: CodeGeneration, time: Time): Queue {
  const requests = [...queue.requests];
  const known = new KnownRequests(requests);
  for (const order of orders) {
    if (known.find(order)) continue;
    const request: Request = {
      ...order,
      title: order.title.slice(0, TITLE_LIMIT),
      connectionId: queue.connection.id,
      state: 'waiting',
      // Those accepted together keep the order in which they were asked for.
      createdAt: time.now + (requests.length - queue.requests.length) / 1000,
      idempotencyKey: minting.newKey(),
      attempts: 0,
      sends: [],
      alone: false,
      problem: null,
    };
    const accepted = withCode(request, queue.connection, minting.randomBytes);
    requests.push(accepted);
    known.add(accepted);
  }
  return requests.length === queue.requests.length ? queue : { ...queue, requests };
}

/** Requests, by what somebody may ask for once more: a list of a thousand is compared with a thousand that wait. */
export class KnownRequests {
  readonly #byId = new Map<string, Request>();
  readonly #byUrl = new Map<string, Request[]>();

  constructor(requests: Request[]) {
    for (const request of requests) this.add(request);
  }

  add(request: Request): void {
    this.#byId.set(request.id, request);
    const same = this.#byUrl.get(request.url);
    if (same) same.push(request);
    else this.#byUrl.set(request.url, [request]);
  }

  /** The request that an order asks for once more. One that waits for the person is asked for anew. */
  find(order: NewRequest): Request | undefined {
    return this.#byId.get(order.id) ?? this.#byUrl.get(order.url)?.find((request) => isSame(request, order));
  }
}

/** Options of the requests in progress, by URL. An order without options joins the request in progress for its URL. */
export function optionsOnTheirWay({ requests }: Queue, isPrivate: boolean): Map<string, LinkOptions> {
  const joined = requests.filter((request) => request.private === isPrivate && isOnItsWay(request));
  return new Map(joined.map(({ url, options }) => [url, options]));
}

function isOnItsWay({ state }: Request): boolean {
  return state !== 'failed' && state !== 'undecided';
}

function isSame(request: Request, order: NewRequest): boolean {
  const { shortCode, title, expiresAt } = request.options;
  return (
    isOnItsWay(request) &&
    request.private === order.private &&
    shortCode === order.options.shortCode &&
    title === order.options.title &&
    expiresAt === order.options.expiresAt
  );
}

/** Gives requests up. One that is being sent cannot be called back: it stays. */
export function cancel(queue: Queue, ids: string[]): Queue {
  const isGivenUp = ({ id, state }: Request) => ids.includes(id) && state !== 'sending';
  const requests = queue.requests.filter((request) => !isGivenUp(request));
  if (requests.length === queue.requests.length) return queue;
  // A batch stays open for its other requests, and is repeated whole: its key stands for these bytes.
  const attempts = withRequests(queue.attempts, requests);
  return { ...queue, requests, attempts };
}

/** The attempts that still have a request. */
export function withRequests(attempts: Attempt[], requests: Request[]): Attempt[] {
  const present = new Set(requests.map(({ id }) => id));
  return attempts.filter(({ requestIds }) => requestIds.some((id) => present.has(id)));
}

/**
 * Sends a request again because the person says so, at once and whatever it has spent. An undecided one keeps its key, so
 * that a service that honours keys still answers with the first link; a failed one was answered, and needs a new key to be
 * asked anew. An unanswered one goes as the attempt that it is part of, and all of that is asked for.
 */
export function retry(queue: Queue, id: string, newKey: string): Queue {
  const attempt = queue.attempts.find(({ requestIds }) => requestIds.includes(id));
  const memberIds = attempt?.requestIds ?? [id];
  const requests = queue.requests.map((request): Request => {
    if (!memberIds.includes(request.id)) return request;
    if (request.state === 'failed') return asNew(withoutPauseMark(request), newKey);
    if (request.state === 'undecided') return { ...request, state: 'waiting', attempts: 0, sends: [], alone: true };
    return { ...request, sends: [] };
  });
  return endGuessedPause({
    ...queue,
    requests,
    attempts: queue.attempts.map((one) => (one === attempt ? freed(one) : one)),
  });
}

/** A request that was answered, to be asked anew. */
function asNew(request: Request, newKey: string): Request {
  return { ...resetDefaultExpiry(request), state: 'waiting', attempts: 0, sends: [], idempotencyKey: newKey };
}

/** What failed by the connection alone waits again: the person has mended it. What they had put on hold waits on hold. */
export function requeueFailed(queue: Queue, newKey: () => string): Queue {
  const requests = queue.requests.map((request) => (failedByConnection(request) ? asNew(request, newKey()) : request));
  return pausedByRequests({ ...queue, requests });
}

/** Whether a request failed by its connection alone: it waits again once that is saved. */
export function failedByConnection({ state, problem }: Request): boolean {
  return state === 'failed' && problem !== null && blockFor(problem.code) !== null;
}

/**
 * The user asks to go on now: nothing that we guessed holds anything back, and each request gets another share of the day.
 * What the service asked for stays, and so do throttle and quota.
 */
export function tryNow(queue: Queue): Queue {
  const { connection, attempts, requests, state } = queue;
  const ended = unblock(state, 'person_retries');
  return endGuessedPause({
    ...queue,
    // A key that was refused is checked by a probe before anything is sent.
    connection: isKeyProblem(state.halt) ? { ...connection, serviceReadAt: null } : connection,
    attempts: attempts.map((attempt) => (attempt.inFlight ? attempt : freed(attempt))),
    requests: requests.map((request) =>
      request.state === 'waiting' || request.state === 'unanswered' ? { ...request, sends: [] } : request,
    ),
    state: ended,
  });
}

/** The attempt without its delay. The service may have got it by now, so it is looked up first. */
function freed(attempt: Attempt): Attempt {
  return { ...attempt, parkedUntil: null, lookUpDue: true };
}

/** Drops a pause that we guessed, and the doubt that a page which answers probes is the service. A guess after a refusal goes on growing: each try costs budget. */
export function endGuessedPause(queue: Queue): Queue {
  const { isDoubtful, ...state } = queue.state;
  const { pause } = state;
  if (!pause || pause.named) return isDoubtful ? { ...queue, state } : queue;
  // A service that was away is probed before anything is sent to it: the pause is over, its reason stays.
  const next = pause.reason === 'unreachable' ? { pause: { ...pause, until: 0 }, failures: 0 } : { pause: null };
  return { ...queue, state: { ...state, ...next } };
}

/** The network came back: there is no reason to sit out a back-off that its absence caused. */
export function networkReturned(queue: Queue): Queue {
  return queue.state.pause?.reason === 'unreachable' ? endGuessedPause(queue) : queue;
}

/** Attempts that cannot be sent again safely, all where none is named: the person decides about their requests. */
export function markUncertain(queue: Queue, attemptIds?: string[]): Queue {
  const left = attemptIds ? queue.attempts.filter(({ id }) => attemptIds.includes(id)) : queue.attempts;
  if (left.length === 0) return queue;
  // Requests that never reached the service go on waiting.
  const ids = new Set(left.filter((attempt) => !wasNotDelivered(attempt)).flatMap(({ requestIds }) => requestIds));
  return {
    ...queue,
    attempts: queue.attempts.filter((attempt) => !left.includes(attempt)),
    requests: queue.requests.map((request) =>
      ids.has(request.id) && request.state !== 'failed' ? uncertain(request) : request,
    ),
  };
}

/** What would have expired before it was sent has failed: the person chooses another time. */
export function expire(queue: Queue, ids: string[]): Queue {
  const requests = queue.requests.map(
    (request): Request =>
      ids.includes(request.id) && request.state === 'waiting'
        ? { ...request, state: 'failed', problem: { code: 'expired', message: '' } }
        : request,
  );
  return { ...queue, requests };
}

/** A request about which the person decides, and why: where nothing else is known, its sending was interrupted. */
export function uncertain(request: Request): Request {
  const isKnown = request.state !== 'sending' && request.problem !== null;
  const problem = isKnown ? request.problem : ({ code: 'interrupted', message: '' } as const);
  return { ...request, state: 'undecided', problem };
}
