import { addCounts, type Counts } from '../domain/clicks/counts.ts';
import { type Analysis, analyse } from '../domain/clicks/series.ts';
import type { ClickDay } from '../store/click-store.ts';
import type { DateRange } from './date-range.ts';

/** One bar of the chart, and the instant it begins at. */
export type Bar = Analysis['series'][number];

export interface LinkAnalytics {
  sum: Counts;
  bars: Bar[];
  names: Analysis['names'];
}

/** The hours in a chart of hours, and the days in a week. */
const [HOURS, WEEK] = [24, 7];

/**
 * Adds up a link's clicks over a date range. Names (referrers, browsers and so on) are counted by the day, so those for
 * the last 24 hours cover two days.
 */
export function linkAnalytics(days: readonly ClickDay[], { days: range, start, unit }: DateRange): LinkAnalytics {
  const { series, names } = analyse(days, range, unit === 'hour' ? 'hour' : 'day');
  const bars =
    unit === 'hour'
      ? series.filter((bar) => bar.start >= start).slice(0, HOURS)
      : grouped(series, unit === 'week' ? WEEK : 1);
  return { bars, names, sum: bars.reduce(plus, { clicks: 0, visitors: 0, bots: 0 }) };
}

function grouped(series: readonly Bar[], size: number): Bar[] {
  return series.flatMap((first, at) =>
    at % size === 0
      ? [{ ...series.slice(at, at + size).reduce(plus, { clicks: 0, visitors: 0, bots: 0 }), start: first.start }]
      : [],
  );
}

function plus(sum: Counts, more: Counts): Counts {
  const both = { ...sum };
  addCounts(both, more);
  return both;
}
