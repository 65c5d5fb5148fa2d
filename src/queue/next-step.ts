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
  /** Nothing can be sent before the person acts. */
  | { kind: 'halted'; reason: BlockReason }
  /** Nothing is sent before the person lets the queue go on. */
  | { kind: 'on_hold' }
  /** `until` is null where only an event ends the wait (the network coming back). */
  | { kind: 'wait'; reason: DelayReason | 'offline' | 'parked'; until: number | null }
  /** Ask the service for its time and limits, at no cost, before deciding again. */
  | { kind: 'probe' }
  /** An attempt can no longer be sent again safely: the person decides about its requests. */
  | { kind: 'leave'; attemptId: string }
  /** Ask the service, at no cost, for the short codes of an attempt that got no answer. */
  | { kind: 'look_up'; attemptId: string }
  /** Send an open attempt once more, byte for byte. */
  | { kind: 'resend'; attemptId: string }
  /** Links that would have expired before they were made: their requests fail, at no cost. */
  | { kind: 'expire'; requestIds: string[] }
  | { kind: 'send'; requestIds: string[] };

/** What the rules cannot read from the database. */
export interface Surroundings {
  online: boolean;
  /** When a probe or an answer last showed this worker that the service is there; null: not yet. */
  reachedAt: number | null;
}

/** Services keep idempotency keys for 30 days (ours does); a day less leaves room for clocks that disagree. */
const KEY_KEPT_MS = 29 * 24 * 3_600_000;

/** How often the service document is read anew. */
const SERVICE_READ_EVERY_MS = 24 * 3_600_000;

/** How long "it was there a moment ago" holds for a service where a lost answer cannot be asked for again. */
const REACHED_FOR_MS = 5_000;

/** Decides what to do next. Pure: the same queue, time and surroundings always give the same step. */
export function nextStep(queue: Queue, time: Time, around: Surroundings): Step {
  const { connection, state, budget, attempts } = queue;
  if (attempts.some(({ inFlight }) => inFlight)) return { kind: 'idle' };
  const work = pendingSteps(queue, time);
  if (work.length === 0) return { kind: 'idle' };
  const left = attempts.find((attempt) => keyOf(attempt, queue, time) === 'expired' && !isLookUpDue(attempt, queue));
  if (left) return { kind: 'leave', attemptId: left.id };
  if (state.onHold) return { kind: 'on_hold' };
  if (state.halt) return { kind: 'halted', reason: state.halt };
  if (!around.online && !isLocalService(connection)) return { kind: 'wait', reason: 'offline', until: null };
  const blocked = waitOfQueue(queue, time);
  if (blocked) return blocked;
  const unsure = attempts.some((attempt) => keyOf(attempt, queue, time) === 'unsure');
  if (state.probeDue || asksFirst(state) || unsure) return { kind: 'probe' };
  const unknown = attempts.find((attempt) => isLookUpDue(attempt, queue));
  if (unknown) return { kind: 'look_up', attemptId: unknown.id };
  const due = work.filter(({ dueAt }) => dueAt <= time.now);
  const [first] = due;
  if (!first) return { kind: 'wait', reason: 'parked', until: Math.min(...work.map(({ dueAt }) => dueAt)) };
  if (remaining(budget, time) <= 0) return { kind: 'wait', reason: 'quota', until: nextUnitAt(budget, time) };
  if (!isConfirmed(first, queue, time) || isStale(connection, time) || probesFirst(connection, time, around))
    return { kind: 'probe' };
  if (first.attempt) return { kind: 'resend', attemptId: first.attempt.id };
  const waiting = due.filter(({ attempt }) => !attempt).flatMap(({ requests }) => requests);
  const expired = waiting.filter(({ options }) => isPast(options.expiresAt, serviceTime(budget, time)));
  if (expired.length > 0) return { kind: 'expire', requestIds: expired.map(({ id }) => id) };
  return { kind: 'send', requestIds: selectBatch(waiting, connection).map(({ id }) => id) };
}

/** One thing that can be sent: an open attempt, or a request that waits. `dueAt`: not before, by the local clock. */
export interface PendingStep {
  attempt: Attempt | null;
  requests: Request[];
  dueAt: number;
  /** Whatever has a lower one goes before it, once both are due. */
  position: number;
}

/**
 * Everything that can be sent, in the order in which it goes once it is due: open attempts first, then by place in line. An
 * attempt that was parked is as old as the end of its parking: it goes behind whoever waited then, and ahead of whoever
 * came later.
 */
export function pendingSteps(queue: Queue, time: Time): PendingStep[] {
  const { attempts, requests } = queue;
  const attempted = new Set(attempts.flatMap(({ requestIds }) => requestIds));
  const dueAt = (members: Request[], parkedUntil: number | null) =>
    Math.max(parkedUntil ?? 0, dailyCapsFreeAt(members, queue, time) ?? 0);
  const resends = attempts.map((attempt): PendingStep => {
    const members = requests.filter(({ id }) => attempt.requestIds.includes(id));
    return {
      attempt,
      requests: members,
      dueAt: dueAt(members, attempt.parkedUntil),
      position: attempt.parkedUntil ?? 0,
    };
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
 * Whether the service still knows the attempt's key, so that sending it again makes no second link. `unsure`: only time
 * that passed unseen says that it does not.
 */
function keyOf(attempt: Attempt, { connection, budget }: Queue, time: Time): 'known' | 'unsure' | 'expired' {
  const { firstSend } = attempt;
  // Without a send that reached the service there is nothing that could be made twice.
  if (wasNotDelivered(attempt)) return 'known';
  if (!isIdempotent(connection)) return 'expired';
  const isOver = (service: number) => service - firstSend.atService >= KEY_KEPT_MS;
  if (isOver(certainServiceTime(budget, time))) return 'expired';
  return isOver(serviceTime(budget, time)) ? 'unsure' : 'known';
}

/**
 * Whether quota, share and, for an attempt, the age of its key go by time that certainly passed. A clock that was set back
 * hides time as one set forward makes it up, so that a new worker asks the service before it sends an attempt again.
 */
function isConfirmed({ attempt, requests }: PendingStep, queue: Queue, time: Time): boolean {
  const { budget } = queue;
  if (attempt && !isTimeCertain(budget, time)) return false;
  return !needsConfirmation(budget, time) && dailyCapsFreeAt(requests, queue, time, true) === null;
}

function isPast(expiresAt: string | null, now: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= now;
}

/** A service on this computer needs no network. */
function isLocalService({ baseUrl }: Connection): boolean {
  return isLoopback(new URL(baseUrl).hostname);
}

function waitOfQueue({ state, budget }: Queue, time: Time): Step | null {
  const { pause, lastEndedAt, probeDue } = state;
  if (pause && pause.until > time.now) return { kind: 'wait', reason: pause.reason, until: pause.until };
  // A probe is no send: nothing has to lie between them.
  const pacedUntil = lastEndedAt === null || probeDue ? 0 : lastEndedAt + budget.gapMs;
  return pacedUntil > time.now ? { kind: 'wait', reason: 'throttle', until: pacedUntil } : null;
}

/** After a pause of a service that was away or busy, a probe tells at no cost whether it is back. */
function asksFirst({ pause }: QueueState): boolean {
  return pause?.reason === 'unreachable' || pause?.reason === 'busy';
}

/** What a service can do may change with any update of it. */
function isStale({ serviceReadAt }: Connection, time: Time): boolean {
  return serviceReadAt === null || time.now - serviceReadAt > SERVICE_READ_EVERY_MS;
}

/**
 * Where an unanswered request cannot be sent again safely, a send into a dead network would leave the person with a
 * question. A probe first costs one round trip and none of the budget, and leaves only real losses to ask about.
 */
function probesFirst(connection: Connection, time: Time, around: Surroundings): boolean {
  if (isIdempotent(connection)) return false;
  const age = around.reachedAt === null ? null : time.now - around.reachedAt;
  // A clock that was set back since says nothing of how long ago that was.
  return age === null || age < 0 || age > REACHED_FOR_MS;
}
