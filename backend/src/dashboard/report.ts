import { addCounts, type Counts } from '../domain/clicks/counts.ts';
import { dayOf } from '../domain/clicks/days.ts';
import { type Analysis, analyse } from '../domain/clicks/series.ts';
import type { ClickDay } from '../store/click-store.ts';

/** The spans of time a holder can look at, by UTC days of which today is the last, and what a bar of the chart is. */
export const PERIODS = {
  day: { label: '24 hours', days: 2, unit: 'hour' },
  week: { label: '7 days', days: 7, unit: 'day' },
  month: { label: '30 days', days: 30, unit: 'day' },
  quarter: { label: '90 days', days: 90, unit: 'day' },
  year: { label: '12 months', days: 364, unit: 'week' },
} as const;

export type Period = keyof typeof PERIODS;

/** One bar of the chart, and the instant it begins at. */
export type Bar = Analysis['series'][number];

export interface Report {
  sum: Counts;
  bars: Bar[];
  names: Analysis['names'];
}

/** The first day a period needs. */
export function firstDay(period: Period, now: number): number {
  return dayOf(now) - PERIODS[period].days + 1;
}

/** Adds up a link's days for a period that ends now. Names are kept by the day, so those of 24 hours are of two days. */
export function reportOf(days: readonly ClickDay[], period: Period, now: number): Report {
  const { unit } = PERIODS[period];
  const range = { from: firstDay(period, now), to: dayOf(now) };
  const { series, names } = analyse(days, range, unit === 'hour' ? 'hour' : 'day');
  const bars =
    unit === 'hour' ? series.filter(({ start }) => start <= now).slice(-24) : grouped(series, unit === 'week' ? 7 : 1);
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
