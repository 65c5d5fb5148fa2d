import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/environment.ts';
import { dayOf } from '../domain/analytics/calendar.ts';
import { monthOf } from '../domain/analytics/daily-counts.ts';
import type { Log } from '../log/json-log.ts';
import { FIRST_ROW, type LinkDay } from '../store/interface/click-store.ts';
import type { Store } from '../store/interface/store.ts';

/** Maximum number of rows read in one transaction. */
const ROWS_PER_TRANSACTION = 500;

/**
 * Length of the pause after each transaction, as a multiple of the time that the transaction took. It keeps the load
 * low.
 */
const PAUSE_FACTOR = 4;

/** Maximum time between two checks whether the process is stopping, in milliseconds. */
const MAX_SLEEP = 100;

interface RollUp extends Pick<Config, 'dailyCountsMonths'> {
  log: Log;
  isStopping(): boolean;
}

/** Creates the tables for the coming months and rolls up daily counts that are older than `dailyCountsMonths`. */
export async function rollUpOldDays(store: Pick<Store, 'months' | 'partitions'>, settings: RollUp): Promise<void> {
  const { log } = settings;
  const now = await store.months.now().catch((error) => log('error', "the database's clock was not read", { error }));
  if (!now) return;
  await store.partitions
    ?.keepAhead(now)
    .catch((error) => log('error', 'the table of the next month was not created', { error }));
  await rollUpCounts(store, settings, now);
}

/** Adds the counts of old days to their months. If it is interrupted, the next run processes the remaining rows. */
async function rollUpCounts(
  { months, partitions }: Pick<Store, 'months' | 'partitions'>,
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
      last = await months.rollUp(last, before, ROWS_PER_TRANSACTION);
      if (last) await rest(PAUSE_FACTOR * (performance.now() - start), isStopping);
    }
    if (last !== null) return;
    await partitions?.dropEmpty(before);
    await months.finishRollUp(before);
  } catch (error) {
    log('error', 'old counts were not rolled up', { error });
  }
}

/** Waits, but returns early if the process is stopping. The timer keeps the process alive. */
async function rest(milliseconds: number, isStopping: () => boolean): Promise<void> {
  const end = performance.now() + milliseconds;
  for (let left = milliseconds; left > 0 && !isStopping(); left = end - performance.now()) {
    await sleep(Math.min(left, MAX_SLEEP));
  }
}
