import type { Log } from '../log/log.ts';
import { createThrottledLog } from '../log/throttled-log.ts';

/** Clicks that were answered but will not be counted. */
export interface Losses {
  add(clicks: number, error: unknown): void;
  /** Says in the log what was not said yet. */
  tell(): void;
  total(): number;
}

/** A full disk fails eighty thousand times a second; one line in the log for so long is enough, in milliseconds. */
const TELL_EVERY = 10_000;

export function createLosses(log: Log): Losses {
  let total = 0;
  const paced = createThrottledLog(TELL_EVERY, (clicks, error) =>
    log('error', 'clicks were answered but could not be written down', { clicks, error }),
  );

  return {
    add(clicks, error) {
      total += clicks;
      paced.add(clicks, error);
    },
    tell: paced.flush,
    total: () => total,
  };
}
