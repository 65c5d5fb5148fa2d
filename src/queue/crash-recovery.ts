import { uncertain } from './cancel-retry-pause.ts';
import { MAX_SENDS } from './limits.ts';
import { isRepeatable } from './start-attempt.ts';
import type { Attempt, Queue, Request } from './types.ts';

/** Maximum duration of an HTTP request that creates links (see `CREATE_TIMEOUT_MS`). */
const MAX_SEND_MS = 20_000;

/**
 * Repairs a queue after the browser has stopped the background script, which may happen at any point. Runs before the
 * first use of each queue. The result of an interrupted send is unknown, and the send is treated as if it ended now.
 */
export function recover(queue: Queue, now: number): Queue {
  const inFlight = queue.attempts.filter((attempt) => attempt.inFlight);
  const isRepeated = (attempt: Attempt) => isRepeatable(attempt, queue.connection) && attempt.sends < MAX_SENDS;
  const attempts = queue.attempts.flatMap((attempt): Attempt[] => {
    if (!attempt.inFlight) return [attempt];
    return isRepeated(attempt) ? [{ ...attempt, inFlight: false }] : [];
  });
  const repeatedIds = new Set(attempts.flatMap(({ requestIds }) => requestIds));
  const lastEndedAt = inFlight.length > 0 ? now : throttledFrom(queue.state.lastEndedAt, now);
  const isSending = queue.requests.some(({ state }) => state === 'sending');
  if (inFlight.length === 0 && !isSending && lastEndedAt === queue.state.lastEndedAt) return queue;
  return {
    ...queue,
    attempts,
    requests: queue.requests.map((request) =>
      request.state === 'sending' ? interrupted(request, repeatedIds) : request,
    ),
    state: { ...queue.state, lastEndedAt },
  };
}

/**
 * Returns the time at which the delay before the next HTTP request starts. If the last HTTP request may still be in
 * progress, the delay starts now.
 */
function throttledFrom(lastEndedAt: number | null, now: number): number | null {
  return lastEndedAt !== null && now - lastEndedAt < MAX_SEND_MS ? now : lastEndedAt;
}

function interrupted(request: Request, repeatedIds: Set<string>): Request {
  if (!repeatedIds.has(request.id)) return uncertain(request);
  return { ...request, state: 'unknown', problem: { code: 'interrupted', message: '' } };
}
