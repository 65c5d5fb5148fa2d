import type { Queue, Request, Send, Time } from '../types.ts';
import { correctForClockSetBack } from './daily-quota.ts';

export type Clock = () => Time;

/** Both of the computer's clocks in milliseconds: the one on the wall, and one that only runs forward. */
export interface ComputerClocks {
  wall: () => number;
  monotonic: () => number;
}

/** Clocks are corrected by fractions of a second all the time; more is a jump, or a computer that slept. */
const SAME_CLOCK_MS = 2_000;

/**
 * The time of this background: the wall clock as it stood at the start, carried on evenly. Where the two clocks have
 * parted since (the computer slept, or somebody set its clock), the time is the wall's again, under a new worker id: the
 * time between was not seen by anybody.
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
 * Moves every stored instant back with a clock that was set back, so that waits keep their length. Every rule gets its
 * queue through this.
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
