import { unreachableBackoff } from './backoff.ts';
import type { Queue, Time } from './types.ts';

/**
 * The browser does not let us keep it from sending a POST twice by itself. Where that could make two links nothing is sent
 * before it does: it is asked again, less and less often. `random` is in [0, 1).
 */
export function unprotected(queue: Queue, time: Time, random: number): Queue {
  const failures = queue.state.failures + 1;
  const until = time.now + unreachableBackoff(failures, random);
  return { ...queue, state: { ...queue.state, failures, pause: { until, reason: 'unprotected', named: false } } };
}
