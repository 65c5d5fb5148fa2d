import { setBack } from './budget.ts';
import { isIdempotent } from './features.ts';
import { undecided } from './requests.ts';
import { MOST_SENDS } from './share.ts';
import type { Attempt, Queue, Request, Send, Time } from './types.ts';

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
    budget: setBack(queue.budget, back),
    attempts: queue.attempts.map((attempt) => ({
      ...attempt,
      parkedUntil: earlier(attempt.parkedUntil),
      firstSend: byServiceClock ? attempt.firstSend : sendSetBack(attempt.firstSend, back),
    })),
    requests: byServiceClock ? queue.requests : queue.requests.map((request) => sendsSetBack(request, back)),
  };
}

/**
 * Takes over from a worker that may have died at any point: the first thing each worker does, before it decides anything.
 * Nobody can tell what came of what was in flight, and it counts as having ended now.
 */
export function recover(queue: Queue, time: Time): Queue {
  const inFlight = queue.attempts.filter((attempt) => attempt.inFlight);
  const isRepeated = ({ sends }: Attempt) => isIdempotent(queue.connection) && sends < MOST_SENDS;
  const attempts = queue.attempts.flatMap((attempt): Attempt[] => {
    if (!attempt.inFlight) return [attempt];
    return isRepeated(attempt) ? [{ ...attempt, inFlight: false }] : [];
  });
  const repeated = new Set(attempts.flatMap(({ requestIds }) => requestIds));
  if (inFlight.length === 0 && !queue.requests.some(({ state }) => state === 'sending')) return queue;
  return {
    ...queue,
    attempts,
    requests: queue.requests.map((request) => (request.state === 'sending' ? interrupted(request, repeated) : request)),
    state: { ...queue.state, lastEndedAt: inFlight.length > 0 ? time.now : queue.state.lastEndedAt },
  };
}

function interrupted(request: Request, repeated: Set<string>): Request {
  if (!repeated.has(request.id)) return undecided(request);
  return { ...request, state: 'unanswered', problem: { code: 'interrupted', message: '' } };
}

function sendsSetBack(request: Request, back: number): Request {
  if (request.sends.length === 0) return request;
  return { ...request, sends: request.sends.map((send) => sendSetBack(send, back)) };
}

function sendSetBack(send: Send, back: number): Send {
  return { ...send, atService: send.atService - back };
}
