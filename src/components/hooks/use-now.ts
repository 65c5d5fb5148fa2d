import { useEffect, useState } from 'preact/hooks';
import { nextChangeAt } from '../../format/relative-time.ts';

const IDLE = 30_000;

/**
 * The time, kept running as finely as what is shown of it.
 *
 * @param moments those shown on the page, as it was rendered last; milliseconds since the epoch
 */
export function useNow(moments: () => number[] = () => []): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const waits = moments().map((at) => nextChangeAt(at, now));
    const timer = setTimeout(() => setNow(Date.now()), Math.min(IDLE, ...waits));
    return () => clearTimeout(timer);
  });
  return now;
}
