import { useEffect, useState } from 'preact/hooks';
import type { Expiry } from '../queue/expiry.ts';
import type { Link, Queue } from '../queue/types.ts';
import { type Entry, MOST_ADDRESSES } from './entries.ts';
import { type Plan, planOf } from './plan.ts';

/**
 * What sending the chosen addresses comes to; null before the first is worked out. For a thousand that takes longer than
 * anything else on the page, so it is done after what has changed is painted.
 *
 * @param queue null: nothing is planned now, and the last plan stands
 */
export function usePlan(
  queue: Queue | null,
  chosen: Entry[],
  known: Map<string, Link>,
  isPrivate: boolean,
  expiry: Expiry,
  now: number,
  online: boolean,
): Plan | null {
  const [plan, setPlan] = useState<Plan | null>(null);
  useEffect(() => {
    if (!queue) return;
    const timer = setTimeout(() => {
      const sent = chosen.slice(0, MOST_ADDRESSES);
      setPlan(planOf(queue, sent, known, isPrivate, expiry, { now, workerId: 'page' }, online));
    });
    return () => clearTimeout(timer);
  }, [queue, chosen, known, isPrivate, expiry, now, online]);
  return plan;
}
