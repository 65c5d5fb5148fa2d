import {
  addCounts,
  addDay,
  type Counts,
  type DayCounts,
  emptyDay,
  KINDS,
  type Kind,
  total,
} from '../domain/clicks/counts.ts';
import { dayOf, hourOf, startOf } from '../domain/clicks/days.ts';
import type { ClickDay } from '../store/click-store.ts';

/** The spans of time a holder can look at, the last of their days being today; `hours` where the bars are hours. */
export const PERIODS = {
  day: { label: '24 hours', days: 2, bars: 24, unit: 'hour' },
  week: { label: '7 days', days: 7, bars: 7, unit: 'day' },
  month: { label: '30 days', days: 30, bars: 30, unit: 'day' },
  quarter: { label: '90 days', days: 90, bars: 90, unit: 'day' },
  year: { label: '12 months', days: 364, bars: 52, unit: 'week' },
} as const;

export type Period = keyof typeof PERIODS;

/** One bar of the chart. */
export interface Bar extends Counts {
  /** When it begins. */
  start: number;
}

export interface Report {
  sum: Counts;
  bars: Bar[];
  /** Names by how often they were told, the most frequent first. */
  names: Record<Kind, [name: string, clicks: number][]>;
}

/** The first day a period needs. */
export function firstDay(period: Period, now: number): number {
  return dayOf(now) - PERIODS[period].days + 1;
}

/** Adds up a link's days for a period that ends now. Names are kept by the day, so those of 24 hours are of two days. */
export function reportOf(days: readonly ClickDay[], period: Period, now: number): Report {
  const bars = emptyBars(period, now);
  const all = emptyDay();
  const sum: Counts = { clicks: 0, visitors: 0, bots: 0 };
  for (const { day, counts } of days) {
    addDay(all, counts);
    for (const [start, some] of pieces(day, counts, period)) {
      const bar = bars.findLast((candidate) => candidate.start <= start);
      if (!bar) continue;
      addCounts(bar, some);
      addCounts(sum, some);
    }
  }
  const names = Object.fromEntries(KINDS.map((kind) => [kind, sorted(all.names[kind])])) as Report['names'];
  return { sum, bars, names };
}

function emptyBars(period: Period, now: number): Bar[] {
  const { bars, unit, days } = PERIODS[period];
  const none = { clicks: 0, visitors: 0, bots: 0 };
  const hour = startOf(dayOf(now), hourOf(now));
  return Array.from({ length: bars }, (_, at) => ({
    start:
      unit === 'hour'
        ? hour - (bars - 1 - at) * 3_600_000
        : startOf(dayOf(now) - days + 1 + at * (unit === 'week' ? 7 : 1)),
    ...none,
  }));
}

/** A day's counts, by the hour where the bars are hours. */
function pieces(day: number, counts: DayCounts, period: Period): [start: number, counts: Counts][] {
  if (PERIODS[period].unit !== 'hour') return [[startOf(day), total(counts)]];
  return [...counts.hours].map(([hour, some]) => [startOf(day, hour), some]);
}

function sorted(names: ReadonlyMap<string, number>): [string, number][] {
  return [...names].sort(([one, a], [two, b]) => b - a || (one < two ? -1 : 1));
}
