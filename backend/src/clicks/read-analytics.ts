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

/** A link's stored counts over some days, in the finest stored interval. */
export type StoredClicks =
  | { by: 'day'; range: Range; days: ClickDay[] }
  /** Whole months, after days were rolled up. The range may be longer than requested. */
  | { by: 'month'; range: Range; months: ClickMonth[] };

/** Reads a link's counts over some UTC days. */
export async function readClicks(
  { clicks, months }: Pick<Store, 'clicks' | 'months'>,
  linkId: number,
  range: Range,
): Promise<StoredClicks> {
  const days = await clicks.days(linkId, range.from, range.to);
  // Read after the days, because days that are rolled up meanwhile were still read as days.
  const before = await months.rolledUpBefore();
  if (before === null || range.from >= firstDayOf(before)) return { by: 'day', range, days };
  const last = monthOf(range.to);
  const whole = {
    from: firstDayOf(monthOf(range.from)),
    to: last < before ? firstDayOf(last + 1) - 1 : range.to,
  };
  return { by: 'month', range: whole, months: await months.read(linkId, whole) };
}

/** Sums the counts by an interval, or by month if nothing finer is stored. */
export function analyzeStoredClicks(
  kept: StoredClicks,
  interval: Interval,
): { interval: Interval; analysis: Analysis } {
  if (kept.by === 'month') return { interval: 'month', analysis: analyzeMonths(kept.months, kept.range) };
  return { interval, analysis: analyzeDays(kept.days, kept.range, interval) };
}
