import { isLoopback } from '@terse/contract/connection-link';
import { isIdempotent } from '../services/service-adapter.ts';
import { selectBatch } from './batch-requests.ts';
import {
  certainServiceTime,
  dailyCapsFreeAt,
  isTimeCertain,
  needsConfirmation,
  nextUnitAt,
  remaining,
  serviceTime,
} from './limits/daily-quota.ts';
import { positionOf } from './queue-order.ts';
import { wasNotDelivered } from './results/gateway-responses.ts';
import { isLookUpDue } from './results/look-up-created-links.ts';
import type { Attempt, BlockReason, Connection, DelayReason, Queue, QueueState, Request, Time } from './types.ts';

/** The one thing to do next in a queue. */
export type Step =
  | { kind: 'idle' }
  /** Nothing is sent until the user fixes the reason. */
  | { kind: 'blocked'; reason: BlockReason }
  /** Nothing is sent until the user resumes the queue. */
  | { kind: 'paused' }
  /** `until` is null if only an event ends the wait, such as the network coming back. */
  | { kind: 'wait'; reason: DelayReason | 'offline' | 'delayed'; until: number | null }
  /** The browser does not allow access to the service: block the queue. */
  | { kind: 'block' }
  /** The browser allows access again: unblock the queue. */
  | { kind: 'unblock' }
  /** The browser may repeat a POST: delay the queue. */
  | { kind: 'delay' }
  /** Ask the service for its time and limits. A probe costs no quota. */
  | { kind: 'probe' }
  /** The attempt cannot be sent again safely: let the user decide about its requests. */
  | { kind: 'mark_uncertain'; attemptId: string }
  /** Ask the service for the short codes of an attempt that got no response. A look-up costs no quota. */
  | { kind: 'look_up'; attemptId: string }
  /** Send the same bytes of an open attempt again. */
  | { kind: 'resend'; attemptId: string }
  /** The links would expire before they are created: let their requests fail. */
  | { kind: 'expire'; requestIds: string[] }
  | { kind: 'send'; requestIds: string[] };

/** Facts about the worker and the browser that the queue does not contain. */
export interface Surroundings {
  online: boolean;
  /** Time at which this worker last got a response from the service. Null if it got none yet. */
  reachedAt: number | null;
  /** True if the browser allows access to the service. Pages leave it out. */
  isPermitted?: boolean;
  /** False if the browser may repeat a POST to a service that would create a second link. Pages leave it out. */
  isSafeToPost?: boolean;
}

/** Services keep idempotency keys for 30 days. One day less allows for clocks that disagree. */
const KEY_LIFETIME_MS = 29 * 24 * 3_600_000;

/** Interval at which the service document is read again. */
const SERVICE_READ_EVERY_MS = 24 * 3_600_000;

/** Time for which a response proves that a service without idempotency is still reachable. */
const REACHED_FOR_MS = 5_000;

/** Decides what to do next. Pure: the same arguments always give the same step. */
export function nextStep(queue: Queue, time: Time, around: Surroundings): Step {
  // A grant of access unblocks even an idle queue, because its event may have been missed.
  if (queue.state.halt === 'permission' && around.isPermitted) return { kind: 'unblock' };
  const step = plannedStep(queue, time, around);
  if (!usesNetwork(step)) return step;
  if (around.isPermitted === false) return { kind: 'block' };
  return around.isSafeToPost === false ? { kind: 'delay' } : step;
}

/** Returns the step of a queue whose service may be accessed. */
function plannedStep(queue: Queue, time: Time, around: Surroundings): Step {
  const { connection, state, budget, attempts } = queue;
  if (attempts.some(({ inFlight }) => inFlight)) return { kind: 'idle' };
  const work = pendingSteps(queue, time);
  if (work.length === 0) return { kind: 'idle' };
  const lost = attempts.find(
    (attempt) => keyStatus(attempt, queue, time) === 'expired' && !isLookUpDue(attempt, queue),
  );
  if (lost) return { kind: 'mark_uncertain', attemptId: lost.id };
  if (state.onHold) return { kind: 'paused' };
  if (state.halt) return { kind: 'blocked', reason: state.halt };
  if (!around.online && !isLocalService(connection)) return { kind: 'wait', reason: 'offline', until: null };
  const wait = waitOfQueue(queue, time);
  if (wait) return wait;
  const isKeyDoubtful = attempts.some((attempt) => keyStatus(attempt, queue, time) === 'doubtful');
  if (state.probeDue || probesAfterDelay(state) || isKeyDoubtful) return { kind: 'probe' };
  const unanswered = attempts.find((attempt) => isLookUpDue(attempt, queue));
  if (unanswered) return { kind: 'look_up', attemptId: unanswered.id };
  const due = work.filter(({ dueAt }) => dueAt <= time.now);
  const [first] = due;
  if (!first) return { kind: 'wait', reason: 'delayed', until: Math.min(...work.map(({ dueAt }) => dueAt)) };
  if (remaining(budget, time) <= 0) return { kind: 'wait', reason: 'quota', until: nextUnitAt(budget, time) };
  if (!isConfirmed(first, queue, time) || isStale(connection, time) || probesFirst(connection, time, around))
    return { kind: 'probe' };
  if (first.attempt) return { kind: 'resend', attemptId: first.attempt.id };
  const waiting = due.filter(({ attempt }) => !attempt).flatMap(({ requests }) => requests);
  const expired = waiting.filter(({ options }) => isPast(options.expiresAt, serviceTime(budget, time)));
  if (expired.length > 0) return { kind: 'expire', requestIds: expired.map(({ id }) => id) };
  return { kind: 'send', requestIds: selectBatch(waiting, connection).map(({ id }) => id) };
}

function usesNetwork({ kind }: Step): boolean {
  return kind === 'probe' || kind === 'look_up' || kind === 'resend' || kind === 'send';
}

/** An open attempt or a waiting request. */
export interface PendingStep {
  attempt: Attempt | null;
  requests: Request[];
  /** Earliest time to send, by the local clock. */
  dueAt: number;
  /** Steps that are due are sent in ascending order of this. */
  position: number;
}

/**
 * Returns everything that can be sent, in the order of sending: open attempts first, then requests in queue order. A delayed
 * attempt goes behind requests that were accepted before its delay ended, and ahead of later ones.
 */
export function pendingSteps(queue: Queue, time: Time): PendingStep[] {
  const { attempts, requests } = queue;
  const attempted = new Set(attempts.flatMap(({ requestIds }) => requestIds));
  const dueAt = (members: Request[], delayedUntil: number | null) =>
    Math.max(delayedUntil ?? 0, dailyCapsFreeAt(members, queue, time) ?? 0);
  const resends = attempts.map((attempt): PendingStep => {
    const members = requests.filter(({ id }) => attempt.requestIds.includes(id));
    const { parkedUntil } = attempt;
    return { attempt, requests: members, dueAt: dueAt(members, parkedUntil), position: parkedUntil ?? 0 };
  });
  const sends = requests
    .filter(({ id, state }) => state === 'waiting' && !attempted.has(id))
    .map((request): PendingStep => {
      const requests = [request];
      return { attempt: null, requests, dueAt: dueAt(requests, null), position: positionOf(request) };
    });
  return [...resends, ...sends].sort((one, other) => one.position - other.position);
}

/**
 * Says if the service still knows the attempt's idempotency key, so that sending it again creates no second link. The key is
 * doubtful if it expired only by time that no worker observed.
 */
function keyStatus(attempt: Attempt, { connection, budget }: Queue, time: Time): 'known' | 'doubtful' | 'expired' {
  // If no send reached the service, nothing can be created twice.
  if (wasNotDelivered(attempt)) return 'known';
  if (!isIdempotent(connection)) return 'expired';
  const isOver = (now: number) => now - attempt.firstSend.atService >= KEY_LIFETIME_MS;
  if (isOver(certainServiceTime(budget, time))) return 'expired';
  return isOver(serviceTime(budget, time)) ? 'doubtful' : 'known';
}

/**
 * True if the quota, the daily cap and the age of an attempt's key rely only on time that has certainly passed. A new worker
 * must hear the service's time before a resend, because the local clock may have been set back.
 */
function isConfirmed({ attempt, requests }: PendingStep, queue: Queue, time: Time): boolean {
  const { budget } = queue;
  if (attempt && !isTimeCertain(budget, time)) return false;
  return !needsConfirmation(budget, time) && dailyCapsFreeAt(requests, queue, time, true) === null;
}

function isPast(expiresAt: string | null, now: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now;
}

/** True if the service runs on this computer, so that it needs no network. */
function isLocalService({ baseUrl }: Connection): boolean {
  return isLoopback(new URL(baseUrl).hostname);
}

function waitOfQueue({ state, budget }: Queue, time: Time): Step | null {
  const { pause, lastEndedAt, probeDue } = state;
  if (pause && pause.until > time.now) return { kind: 'wait', reason: pause.reason, until: pause.until };
  // A probe is not limited by the throttle.
  const throttledUntil = lastEndedAt === null || probeDue ? 0 : lastEndedAt + budget.gapMs;
  return throttledUntil > time.now ? { kind: 'wait', reason: 'throttle', until: throttledUntil } : null;
}

/** True if the service was unreachable or busy. A probe finds out at no cost if it is back. */
function probesAfterDelay({ pause }: QueueState): boolean {
  return pause?.reason === 'unreachable' || pause?.reason === 'busy';
}

/** True if the service document is too old. An update of the service may have changed its features. */
function isStale({ serviceReadAt }: Connection, time: Time): boolean {
  return serviceReadAt === null || time.now - serviceReadAt > SERVICE_READ_EVERY_MS;
}

/**
 * True if a probe must show first that the service is reachable. Without idempotency, a POST into a dead network would leave
 * the user with an uncertain request. The probe takes one round trip and no quota.
 */
function probesFirst(connection: Connection, time: Time, around: Surroundings): boolean {
  if (isIdempotent(connection)) return false;
  const age = around.reachedAt === null ? null : time.now - around.reachedAt;
  // A negative age means that the clock was set back, so the age says nothing.
  return age === null || age < 0 || age > REACHED_FOR_MS;
}
