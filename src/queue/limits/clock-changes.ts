import type { Queue, Request, Send, Time } from '../types.ts';
import { correctForClockSetBack } from './daily-quota.ts';

export type Clock = () => Time;

export interface ComputerClocks {
  wall: () => number;
  monotonic: () => number;
}

/**
 * Maximum difference between the wall clock and the monotonic clock that counts as normal drift. A larger difference
 * means that the computer was asleep or that its clock was changed.
 */
const SAME_CLOCK_MS = 2_000;

/**
 * Returns a clock that advances with the monotonic clock. If the computer was asleep or its time was changed, the
 * returned clock is reset to the computer's time. A new `workerId` marks each reset.
 */
export function startClock(
  { wall, monotonic }: ComputerClocks = { wall: () => Date.now(), monotonic: () => performance.now() },
  newId: () => string = () => crypto.randomUUID(),
): Clock {
  let workerId = newId();
  let offset = wall() - monotonic();
  return () => {
    if (Math.abs(wall() - monotonic() - offset) > SAME_CLOCK_MS) {
      offset = wall() - monotonic();
      workerId = newId();
    }
    return { now: Math.round(offset + monotonic()), workerId };
  };
}

/**
 * Shifts all stored times if the computer's clock was set back, so that delays keep their length. Runs each time a
 * queue is read.
 */
export function withClock(queue: Queue, time: Time): Queue {
  const back = queue.state.latestTime - time.now;
  if (back <= 0) return queue;
  const { connection, state } = queue;
  const byServiceClock = queue.budget.clockSample !== null;
  const earlier = (at: number | null) => (at === null ? null : at - back);
  return {
    connection: {
      ...connection,
      serviceReadAt: earlier(connection.serviceReadAt),
      lastSeenWellAt: earlier(connection.lastSeenWellAt),
    },
    state: {
      ...state,
      latestTime: time.now,
      lastEndedAt: earlier(state.lastEndedAt),
      pause: state.pause && { ...state.pause, until: state.pause.until - back },
    },
    budget: correctForClockSetBack(queue.budget, back),
    attempts: queue.attempts.map((attempt) => ({
      ...attempt,
      parkedUntil: earlier(attempt.parkedUntil),
      ...(attempt.lookUpAt !== undefined && { lookUpAt: attempt.lookUpAt - back }),
      ...(attempt.settledAt !== undefined && { settledAt: attempt.settledAt - back }),
      firstSend: byServiceClock ? attempt.firstSend : sendSetBack(attempt.firstSend, back),
    })),
    requests: byServiceClock ? queue.requests : queue.requests.map((request) => sendsSetBack(request, back)),
  };
}

function sendsSetBack(request: Request, back: number): Request {
  if (request.sends.length === 0) return request;
  return { ...request, sends: request.sends.map((send) => sendSetBack(send, back)) };
}

function sendSetBack(send: Send, back: number): Send {
  return { ...send, atService: send.atService - back };
}
