import {
  addCount,
  addCounts,
  type Counts,
  type DayCounts,
  firstDayOf,
  forEachKind,
  KINDS,
  type Kind,
  monthOf,
  mostFrequent,
  type Names,
  startOf,
  sumDay,
} from '../domain/analytics/day-counts.ts';

export type Interval = 'hour' | 'day' | 'month';

/** A range of UTC days. Both ends are included. */
export interface Range {
  from: number;
  to: number;
}

export interface Analysis {
  sum: Counts;
  /**
   * All intervals of the range, including intervals without clicks. `start` is the time at which an interval starts.
   */
  series: ({ start: number } & Counts)[];
  /**
   * Names with the most clicks for each property, in descending order. At most fifty names are listed per property.
   * The clicks of all other names are summed as `other`.
   */
  names: Record<Kind, [name: string, clicks: number][]>;
}

/**
 * Analyzes a link's clicks from daily counts. The input may omit days without clicks. If the interval is a month, the
 * first interval starts on the first day of the range, even if this day is not the first of its month.
 */
export function analyzeDays(
  days: Iterable<{ day: number; counts: DayCounts }>,
  range: Range,
  interval: Interval,
): Analysis {
  const sum = { clicks: 0, visitors: 0, bots: 0 };
  const names = forEachKind((): Names => new Map());
  const series = emptySeries(range, interval);
  for (const { day, counts } of days) {
    addCounts(sum, sumDay(counts));
    for (const kind of KINDS) for (const [name, clicks] of counts.names[kind]) addCount(names[kind], name, clicks);
    for (const [hour, more] of counts.hours) addCounts(series[indexOf(range, interval, day, hour)] as Counts, more);
  }
  return { sum, series, names: forEachKind((kind) => mostFrequent(names[kind])) };
}

function indexOf({ from }: Range, interval: Interval, day: number, hour: number): number {
  if (interval === 'month') return monthOf(day) - monthOf(from);
  return interval === 'day' ? day - from : (day - from) * 24 + hour;
}

function emptySeries({ from, to }: Range, interval: Interval): Analysis['series'] {
  const starts = {
    hour: () => Array.from({ length: (to - from + 1) * 24 }, (_, at) => startOf(from, at)),
    day: () => Array.from({ length: to - from + 1 }, (_, at) => startOf(from + at)),
    month: () =>
      Array.from({ length: monthOf(to) - monthOf(from) + 1 }, (_, at) =>
        startOf(Math.max(from, firstDayOf(monthOf(from) + at))),
      ),
  };
  return starts[interval]().map((start) => ({ start, clicks: 0, visitors: 0, bots: 0 }));
}
