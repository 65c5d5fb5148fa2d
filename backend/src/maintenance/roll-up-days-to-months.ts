import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/environment.ts';
import { dayOf } from '../domain/analytics/calendar.ts';
import { monthOf } from '../domain/analytics/daily-counts.ts';
import type { Log } from '../log/json-log.ts';
import { FIRST_ROW, type LinkDay } from '../store/interface/click-store.ts';
import type { Store } from '../store/interface/store.ts';

/** Rows looked at in one transaction. */
const PORTION = 500;

/** After each portion it rests so many times as long as that took, since nobody waits for this. */
const REST = 4;

/** How long it rests before it looks whether the process is stopping, in milliseconds. */
const LONGEST_NAP = 100;

interface RollUp extends Pick<Config, 'dailyCountsMonths'> {
  log: Log;
  isStopping(): boolean;
}

/** Makes the tables that counts are written into, and rolls up those that are older than they are to be kept by the day. */
export async function rollUpOldDays(store: Pick<Store, 'months' | 'partitions'>, settings: RollUp): Promise<void> {
  const { log } = settings;
  const now = await store.months.now().catch((error) => log('error', "the database's clock was not read", { error }));
  if (!now) return;
  await store.partitions
    ?.keepAhead(now)
    .catch((error) => log('error', 'no table was made for the next month', { error }));
  await rollUpCounts(store, settings, now);
}

/**
 * Rolls up the counts of days that are older than the full months for which they are kept. If it is cut short, the next round
 * starts again and finds the rest.
 */
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
      last = await months.rollUp(last, before, PORTION);
      if (last) await rest(REST * (performance.now() - start), isStopping);
    }
    if (last !== null) return;
    await partitions?.dropEmpty(before);
    await months.finishRollUp(before);
  } catch (error) {
    log('error', 'old counts were not rolled up', { error });
  }
}

/** Keeps the process alive, which waits for it when it stops. */
async function rest(milliseconds: number, isStopping: () => boolean): Promise<void> {
  const end = performance.now() + milliseconds;
  for (let left = milliseconds; left > 0 && !isStopping(); left = end - performance.now()) {
    await sleep(Math.min(left, LONGEST_NAP));
  }
}
