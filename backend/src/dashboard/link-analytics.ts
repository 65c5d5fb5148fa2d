import { addCounts, type Counts } from '../domain/clicks/counts.ts';
import type { Analysis, Range } from '../domain/clicks/series.ts';
import { analyseKept, type KeptClicks } from '../store/read-clicks.ts';
import type { DateRange, Unit } from './date-range.ts';

/** One bar of the chart, and the instant it begins at. */
export type Bar = Analysis['series'][number];

export interface LinkAnalytics {
  sum: Counts;
  bars: Bar[];
  names: Analysis['names'];
  /** What one bar stands for. */
  unit: Unit;
  /** The UTC days that they cover; more than were asked for where only whole months are kept. */
  days: Range;
}

/** The hours in a chart of hours, and the days in a week. */
const [HOURS, WEEK] = [24, 7];

/**
 * Adds up a link's clicks over a date range. Names (referrers, browsers and so on) are counted by the day, so those for the last
 * 24 hours cover two days. By the month where nothing finer is kept.
 */
export function linkAnalytics(kept: KeptClicks, { start, unit }: DateRange): LinkAnalytics {
  const { interval, analysis } = analyseKept(kept, unit === 'hour' ? 'hour' : 'day');
  const isByMonth = interval === 'month';
  const bars = isByMonth ? analysis.series : barsOf(analysis.series, unit, start);
  const sum = bars.reduce(plus, { clicks: 0, visitors: 0, bots: 0 });
  return { bars, names: analysis.names, sum, unit: isByMonth ? 'month' : unit, days: kept.range };
}

function barsOf(series: readonly Bar[], unit: Unit, start: number): Bar[] {
  if (unit === 'hour') return series.filter((bar) => bar.start >= start).slice(0, HOURS);
  return grouped(series, unit === 'week' ? WEEK : 1);
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
