import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/environment.ts';
import { dayOf } from '../domain/analytics/calendar.ts';
import { monthOf } from '../domain/analytics/daily-counts.ts';
import type { Log } from '../log/json-log.ts';
import { FIRST_ROW, type LinkDay } from '../store/interface/click-store.ts';
import type { Store } from '../store/interface/store.ts';

const ROWS_PER_ROUND = 500;

/**
 * Duration of the pause after each transaction, as a multiple of the transaction's duration. The pauses are long
 * because the work is not urgent.
 */
const PAUSE_FACTOR = 4;

/** Maximum time in milliseconds between two `isStopping` checks during a pause. */
const MAX_SLEEP = 100;

interface RollUp extends Pick<Config, 'dailyCountsMonths'> {
  log: Log;
  isStopping(): boolean;
}

/** Merges old daily click counts into monthly counts. The database's clock decides which counts are old. */
export async function rollUpOldDays(store: Pick<Store, 'months'>, settings: RollUp): Promise<void> {
  const { log } = settings;
  const now = await store.months.now().catch((error) => log('error', "could not read the database's clock", { error }));
  if (!now) return;
  await rollUpCounts(store, settings, now);
}

/**
 * Merges daily click counts that are older than the configured number of months into monthly counts. If the process
 * stops before all counts are merged, the next run continues.
 */
async function rollUpCounts(
  { months }: Pick<Store, 'months'>,
  { dailyCountsMonths, log, isStopping }: RollUp,
  now: number,
): Promise<void> {
  if (dailyCountsMonths === null) return;
  const before = monthOf(dayOf(now)) - dailyCountsMonths;
  try {
    if (!(await months.startRollUp(before))) return;
    let last: LinkDay | null = FIRST_ROW;
    while (last && !isStopping()) {
      const start = performance.now();
      last = await months.rollUp(last, before, ROWS_PER_ROUND);
      if (last) await pause(PAUSE_FACTOR * (performance.now() - start), isStopping);
    }
    if (last !== null) return;
    await months.finishRollUp(before);
  } catch (error) {
    log('error', 'could not merge old daily counts into monthly counts', { error });
  }
}

async function pause(milliseconds: number, isStopping: () => boolean): Promise<void> {
  const end = performance.now() + milliseconds;
  for (let left = milliseconds; left > 0 && !isStopping(); left = end - performance.now()) {
    await sleep(Math.min(left, MAX_SLEEP));
  }
}
