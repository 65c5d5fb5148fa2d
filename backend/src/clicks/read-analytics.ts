import { firstDayOf, monthOf } from '../domain/analytics/day-counts.ts';
import { type Analysis, analyzeDays, type Interval, type Range } from '../domain/analytics/time-series.ts';
import type { Store } from '../store/open-store.ts';
import type { ClickDay } from '../store/sql/click-queries.ts';

/** Click counts of a link for a range of days. */
export interface StoredClicks {
  /**
   * Smallest interval for which counts are available. If counts in the range were already merged into months, the
   * range is extended to whole months.
   */
  by: 'day' | 'month';
  range: Range;
  days: ClickDay[];
}

export async function readClicks(
  { clicks, months }: Pick<Store, 'clicks' | 'months'>,
  linkId: number,
  range: Range,
): Promise<StoredClicks> {
  const days = await clicks.days(linkId, range.from, range.to);
  // Must run after the daily counts have been read. The service can merge old daily counts at any time.
  const before = await months.rolledUpBefore();
  if (before === null || range.from >= firstDayOf(before)) return { by: 'day', range, days };
  const last = monthOf(range.to);
  const whole = {
    from: firstDayOf(monthOf(range.from)),
    to: last < before ? firstDayOf(last + 1) - 1 : range.to,
  };
  return { by: 'month', range: whole, days: await clicks.days(linkId, whole.from, whole.to) };
}

/** Sums click counts by hour, day or month. If the counts are available only by month, the result is by month. */
export function analyzeStoredClicks(
  { by, range, days }: StoredClicks,
  asked: Interval,
): { interval: Interval; analysis: Analysis } {
  const interval = by === 'month' ? 'month' : asked;
  return { interval, analysis: analyzeDays(days, range, interval) };
}
