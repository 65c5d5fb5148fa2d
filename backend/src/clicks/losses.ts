import type { Log } from '../log/log.ts';
import { createThrottledLog } from '../log/throttled-log.ts';

/** Clicks that were answered but will not be counted. */
export interface Losses {
  add(clicks: number, error: unknown): void;
  /** Logs the losses that were not logged yet. */
  report(): void;
  total(): number;
}

/** A full disk fails eighty thousand times a second; one line in the log every ten seconds is enough. In milliseconds. */
const REPORT_EVERY = 10_000;

export function createLosses(log: Log): Losses {
  let total = 0;
  const throttled = createThrottledLog(REPORT_EVERY, (clicks, error) =>
    log('error', 'clicks were answered but could not be written down', { clicks, error }),
  );

  return {
    add(clicks, error) {
      total += clicks;
      throttled.add(clicks, error);
    },
    report: throttled.flush,
    total: () => total,
  };
}
