import { backoff } from './backoff.ts';
import { reconcile, type Told, trustLocalClock } from './budget.ts';
import type { Snapshot, Time } from './types.ts';

/** What a look at the service brought: null where nobody answered. */
export type Look = Told | null;

/** Takes in a look: the service's time and limits, or one more failure to reach it. `chance` is in [0, 1). */
export function looked(snapshot: Snapshot, look: Look, time: Time, chance: number): Snapshot {
  const { queue, budget } = snapshot;
  if (!look) {
    const failures = queue.failures + 1;
    const pause = { until: time.now + backoff(failures, chance), reason: 'unreachable' } as const;
    return { ...snapshot, queue: { ...queue, failures, pause } };
  }
  if (!budget) return snapshot;
  const dated = look.date === null ? trustLocalClock(budget, time) : budget;
  return { ...snapshot, budget: reconcile(dated, look, time) };
}
