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

/** Click counts of a link for a range of days. Recent counts are stored by day, and older counts by month. */
export type StoredClicks =
  | { by: 'day'; range: Range; days: ClickDay[] }
  /**
   * Click counts by month, used if daily counts in the range were already merged into months. The range is extended
   * to whole months.
   */
  | { by: 'month'; range: Range; months: ClickMonth[] };

export async function readClicks(
  { clicks, months }: Pick<Store, 'clicks' | 'months'>,
  linkId: number,
  range: Range,
): Promise<StoredClicks> {
  const days = await clicks.days(linkId, range.from, range.to);
  // Must run after the daily counts have been read. The service can merge old daily counts into monthly counts at any
  // time.
  const before = await months.rolledUpBefore();
  if (before === null || range.from >= firstDayOf(before)) return { by: 'day', range, days };
  const last = monthOf(range.to);
  const whole = {
    from: firstDayOf(monthOf(range.from)),
    to: last < before ? firstDayOf(last + 1) - 1 : range.to,
  };
  return { by: 'month', range: whole, months: await months.read(linkId, whole) };
}

/** Sums click counts by hour, day or month. If only monthly counts are stored, the result is by month. */
export function analyzeStoredClicks(
  kept: StoredClicks,
  interval: Interval,
): { interval: Interval; analysis: Analysis } {
  if (kept.by === 'month') return { interval: 'month', analysis: analyzeMonths(kept.months, kept.range) };
  return { interval, analysis: analyzeDays(kept.days, kept.range, interval) };
}
