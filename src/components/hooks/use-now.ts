import { useEffect, useState } from 'preact/hooks';

/** Interval in milliseconds at which the time is updated. */
const INTERVAL_MS = 30_000;

/** Returns the current time, and updates it 30 seconds after each render. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), INTERVAL_MS);
    return () => clearTimeout(timer);
  });
  return now;
}
