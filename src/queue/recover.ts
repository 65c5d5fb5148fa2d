import { isIdempotent } from './features.ts';
import { undecided } from './requests.ts';
import { MOST_SENDS } from './share.ts';
import type { Attempt, Queue, Request, Time } from './types.ts';

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
