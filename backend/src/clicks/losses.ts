import type { Clock } from '../domain/clock.ts';
import type { Log } from '../log.ts';

/** Clicks that were answered but will not be counted. */
export interface Losses {
  add(clicks: number, error: unknown): void;
  /** Says in the log what was not said yet. */
  tell(): void;
  total(): number;
}

/** A full disk fails eighty thousand times a second; one line in the log for so long is enough, in milliseconds. */
const TELL_EVERY = 10_000;

export function createLosses(log: Log, clock: Clock): Losses {
  let total = 0;
  let untold = 0;
  let cause: unknown = null;
  let toldAt = Number.NEGATIVE_INFINITY;

  function tell(): void {
    if (untold === 0) return;
    log('error', 'clicks were answered but could not be written down', { clicks: untold, error: cause });
    untold = 0;
    toldAt = clock();
  }

  return {
    add(clicks, error) {
      total += clicks;
      untold += clicks;
      cause = error;
      if (Math.abs(clock() - toldAt) >= TELL_EVERY) tell();
    },
    tell,
    total: () => total,
  };
}
