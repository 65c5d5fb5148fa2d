import { firstDayOf, monthOf } from '../domain/analytics/daily-counts.ts';
import {
  type Analysis,
  analyzeDays,
  analyzeMonths,
  type Interval,
  type Range,
} from '../domain/analytics/time-series.ts';
import type { ClickDay, ClickMonth } from '../store/interface/click-store.ts';
import type { Store } from '../store/interface/store.ts';

/** Click counts of a link over a range of days, in the finest interval that is still stored. */
export type StoredClicks =
  | { by: 'day'; range: Range; days: ClickDay[] }
  /** Whole months, because old daily counts are merged into months. The range may be longer than requested. */
  | { by: 'month'; range: Range; months: ClickMonth[] };

export async function readClicks(
  { clicks, months }: Pick<Store, 'clicks' | 'months'>,
  linkId: number,
  range: Range,
): Promise<StoredClicks> {
  const days = await clicks.days(linkId, range.from, range.to);
  // This query must follow the query for the days. Days that are merged into a month between both queries have then
  // already been read.
  const before = await months.rolledUpBefore();
  if (before === null || range.from >= firstDayOf(before)) return { by: 'day', range, days };
  const last = monthOf(range.to);
  const whole = {
    from: firstDayOf(monthOf(range.from)),
    to: last < before ? firstDayOf(last + 1) - 1 : range.to,
  };
  return { by: 'month', range: whole, months: await months.read(linkId, whole) };
}

/** Sums the clicks by the requested interval, or by month if the finer counts were already merged into months. */
export function analyzeStoredClicks(
  kept: StoredClicks,
  interval: Interval,
): { interval: Interval; analysis: Analysis } {
  if (kept.by === 'month') return { interval: 'month', analysis: analyzeMonths(kept.months, kept.range) };
  return { interval, analysis: analyzeDays(kept.days, kept.range, interval) };
}
