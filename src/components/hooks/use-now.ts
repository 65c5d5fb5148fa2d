import { useEffect, useState } from 'preact/hooks';
import { nextChangeAt } from '../../format/relative-time.ts';

const IDLE = 30_000;

/**
 * Returns the current time, and updates it whenever a displayed time needs to change.
 *
 * @param moments returns the times shown on the page at its last render, in milliseconds since the epoch
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
