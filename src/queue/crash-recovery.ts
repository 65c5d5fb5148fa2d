import { isIdempotent } from '../services/service-adapter.ts';
import { uncertain } from './cancel-retry-pause.ts';
import { MAX_SENDS } from './limits/daily-quota.ts';
import type { Attempt, Queue, Request, Time } from './types.ts';

/** No send takes longer: see `FETCH_LIMIT_MS`. */
const LONGEST_SEND_MS = 20_000;

/**
 * Takes over from a worker that may have died at any point: the first thing each worker does, before it decides anything.
 * Nobody can tell what came of what was in flight, and it counts as having ended now.
 */
export function recover(queue: Queue, time: Time): Queue {
  const inFlight = queue.attempts.filter((attempt) => attempt.inFlight);
  const isRepeated = ({ sends }: Attempt) => isIdempotent(queue.connection) && sends < MAX_SENDS;
  const attempts = queue.attempts.flatMap((attempt): Attempt[] => {
    if (!attempt.inFlight) return [attempt];
    return isRepeated(attempt) ? [{ ...attempt, inFlight: false }] : [];
  });
  const repeated = new Set(attempts.flatMap(({ requestIds }) => requestIds));
  const lastEndedAt = inFlight.length > 0 ? time.now : paceAfter(queue.state.lastEndedAt, time);
  const isSending = queue.requests.some(({ state }) => state === 'sending');
  if (inFlight.length === 0 && !isSending && lastEndedAt === queue.state.lastEndedAt) return queue;
  return {
    ...queue,
    attempts,
    requests: queue.requests.map((request) => (request.state === 'sending' ? interrupted(request, repeated) : request)),
    state: { ...queue.state, lastEndedAt },
  };
}

/**
 * A worker without work outlives any send: one that is followed this soon was killed. What it had in flight may have left no
 * trace (its private window was closed), and its clock may have differed by a second: the pace counts from now.
 */
function paceAfter(lastEndedAt: number | null, time: Time): number | null {
  return lastEndedAt !== null && time.now - lastEndedAt < LONGEST_SEND_MS ? time.now : lastEndedAt;
}

function interrupted(request: Request, repeated: Set<string>): Request {
  if (!repeated.has(request.id)) return uncertain(request);
  return { ...request, state: 'unanswered', problem: { code: 'interrupted', message: '' } };
}
