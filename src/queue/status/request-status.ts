import type { VisibleQueues } from '../../storage/link-queries.ts';
import { selectBatch } from '../batch-requests.ts';
import { nextUnitAt, remaining } from '../limits/daily-quota.ts';
import { nextStep, pendingSteps, type Step } from '../next-step.ts';
import type { Connection, Queue, Request, Time } from '../types.ts';

/** What a request can be waiting for; each has a sentence in `_locales` under `wait_<reason>`. */
export type WaitReason =
  | 'queued'
  | 'throttle'
  | 'quota'
  | 'offline'
  | 'unreachable'
  | 'busy'
  | 'unprotected'
  | 'parked'
  | 'no_connection'
  | 'on_hold'
  | 'unauthorized'
  | 'forbidden'
  | 'key_missing'
  | 'not_a_service'
  | 'redirected'
  | 'permission';

/** Where a request stands, for people: what it waits for, and until when where that is known. */
export type RequestStatus =
  | { kind: 'sending' }
  | ({ kind: 'waiting' } & Wait)
  /** No answer came; it is sent again by itself, safely. `reason` says what that waits for. */
  | ({ kind: 'unanswered' } & Wait)
  /** It may have been created: the person decides. */
  | { kind: 'undecided' }
  | { kind: 'failed' };

interface Wait {
  reason: WaitReason;
  /** When it goes on; null: as soon as the reason ends. */
  at: number | null;
  /** The service did not name that time: the person may try before. */
  guessed?: true;
}

/**
 * Says where each request of a queue stands, decided once for all of them. Pure, so that pages say what the background
 * does.
 */
export function requestStatuses(queue: Queue, time: Time, online: boolean): Map<string, RequestStatus> {
  const step = nextStep(queue, time, { online, reachedAt: time.now });
  const work = pendingSteps(queue, time);
  const dueAt = new Map(work.flatMap((one) => one.requests.map(({ id }) => [id, one.dueAt])));
  const next = nextIds(queue, work, time);
  const ownWait = step.kind !== 'halted' && step.kind !== 'on_hold' && !(step.kind === 'wait' && step.until === null);
  return new Map(
    queue.requests.map((request) => {
      const parkedUntil = dueAt.get(request.id) ?? 0;
      const parked: Wait | null =
        ownWait && parkedUntil > time.now ? { reason: 'parked', at: parkedUntil, guessed: true } : null;
      return [request.id, statusOf(request, parked ?? waitOf(step, queue, next.has(request.id)))];
    }),
  );
}

/** Where a request without a connection stands: in line for the next one. */
export const UNASSIGNED: RequestStatus = { kind: 'waiting', reason: 'no_connection', at: null };

/** Whether a request waits for nothing but the budget and the pace of its queue, whose rules tell when it is sent. */
export function isThrottled(status: RequestStatus): boolean {
  return !('reason' in status) || ['queued', 'throttle', 'quota', 'parked'].includes(status.reason);
}

/** A request that only the person can move on: it failed, is undecided, or its queue halts. */
export function needsUser({ state }: Pick<Queue, 'state'>): (request: Request) => boolean {
  const halted = state.halt !== null;
  return (request) =>
    request.state === 'failed' || request.state === 'undecided' || (halted && request.state !== 'sending');
}

/** What is left of the quota. `moreAt`: when the next unit comes back, if any is spent. */
export function quotaLeft({ budget }: Queue, time: Time): QuotaLeft {
  return { left: remaining(budget, time), limit: budget.quota.limit, moreAt: nextUnitAt(budget, time) };
}

export interface QuotaLeft {
  left: number;
  limit: number;
  moreAt: number | null;
}

function statusOf(request: Request, wait: Wait): RequestStatus {
  if (request.state === 'waiting' || request.state === 'unanswered') return { kind: request.state, ...wait };
  return { kind: request.state };
}

/** The requests that go out together next, whatever they wait for. */
function nextIds(queue: Queue, work: ReturnType<typeof pendingSteps>, time: Time): Set<string> {
  const due = work.filter((one) => one.dueAt <= time.now);
  const [first] = due;
  if (!first) return new Set();
  const waiting = due.filter(({ attempt }) => !attempt).flatMap(({ requests }) => requests);
  const chosen = first.attempt ? first.requests : selectBatch(waiting, queue.connection);
  return new Set(chosen.map(({ id }) => id));
}

function waitOf(step: Step, { state }: Queue, next: boolean): Wait {
  if (step.kind === 'halted') return { reason: step.reason, at: null };
  if (step.kind === 'on_hold') return { reason: 'on_hold', at: null };
  if (step.kind !== 'wait' || step.reason === 'parked') return { reason: 'queued', at: null };
  const { reason, until } = step;
  // The throttle lets one pass at a time: its end is the end of the wait only for whoever is next.
  if (reason === 'throttle' && !next) return { reason: 'queued', at: null };
  const guessed = state.pause !== null && state.pause.until === until && !state.pause.named;
  return { reason, at: until, ...(guessed ? { guessed } : {}) };
}

/** A request that has not ended, where it stands, and whose it is; null: its connection was forgotten. */
export interface ListedRequest {
  request: Request;
  status: RequestStatus;
  connection: Connection | null;
  /** The quota of its connection, for "20 of 20 used". */
  limit: number;
}

/** The requests of every queue, decided once a queue; the default connection's first, oldest first. */
export function listRequests({ queues, unassigned }: VisibleQueues, time: Time, online: boolean): ListedRequest[] {
  const listed = queues.flatMap((queue) => {
    const statuses = requestStatuses(queue, time, online);
    const next = nextOf(queue.requests, statuses);
    return queue.requests.map((request) => {
      const status = statuses.get(request.id) ?? UNASSIGNED;
      const shown = request === next ? ({ ...status, reason: 'throttle' } as RequestStatus) : status;
      return { request, status: shown, connection: queue.connection, limit: queue.budget.quota.limit };
    });
  });
  return [...listed, ...unassigned.map((request) => ({ request, status: UNASSIGNED, connection: null, limit: 0 }))];
}

/** The request that nothing stands in the way of: it does not wait its turn, it is sent in a moment. */
function nextOf(requests: Request[], statuses: Map<string, RequestStatus>): Request | undefined {
  const isQueued = ({ id }: Request) => {
    const status = statuses.get(id);
    return status !== undefined && 'reason' in status && status.reason === 'queued';
  };
  return requests.some(({ state }) => state === 'sending') ? undefined : requests.find(isQueued);
}
