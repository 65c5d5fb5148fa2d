import { setBack } from './budget.ts';
import type { Queue, Request, Send, Time } from './types.ts';

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

function sendsSetBack(request: Request, back: number): Request {
  if (request.sends.length === 0) return request;
  return { ...request, sends: request.sends.map((send) => sendSetBack(send, back)) };
}

function sendSetBack(send: Send, back: number): Send {
  return { ...send, atService: send.atService - back };
}
