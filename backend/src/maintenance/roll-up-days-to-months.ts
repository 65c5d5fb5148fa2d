import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/environment.ts';
import { dayOf } from '../domain/analytics/calendar.ts';
import { monthOf } from '../domain/analytics/day-counts.ts';
import type { Log } from '../log/json-log.ts';
import type { Store } from '../store/open-store.ts';
import { FIRST_ROW, type LinkDay } from '../store/sql/monthly-clicks.ts';

const ROWS_PER_ROUND = 500;

/** Pause after each transaction in milliseconds, because the work is not urgent. */
const PAUSE = 50;

interface RollUp extends Pick<Config, 'dailyCountsMonths'> {
  log: Log;
  isStopping(): boolean;
}

/**
 * Merges daily click counts that are older than the configured number of months. If the process stops before all
 * counts are merged, the next run continues.
 */
export async function rollUpOldDays(
  { months }: Pick<Store, 'months'>,
  { dailyCountsMonths, log, isStopping }: RollUp,
): Promise<void> {
  if (dailyCountsMonths === null) return;
  try {
    const before = monthOf(dayOf(await months.now())) - dailyCountsMonths;
    const from = await months.startRollUp(before);
    if (from >= before) return;
    let last: LinkDay | null = FIRST_ROW;
    while (last && !isStopping()) {
      last = await months.rollUp(last, { from, before }, ROWS_PER_ROUND);
      await sleep(PAUSE);
    }
    if (last === null) await months.finishRollUp(before);
  } catch (error) {
    log('error', 'could not merge old daily counts', { error });
  }
}
