import { startOf } from './calendar.ts';
import { addCounts, type Counts, firstDayOf, forEachKind, KINDS, type Kind, monthOf } from './daily-counts.ts';
import { hoursOf, type OpenNames, openDay, type StoredDay } from './daily-counts-encoding.ts';
import { addCount, mostFrequent, type Names } from './top-values.ts';

export interface NameSums {
  add(names: OpenNames): void;
  sum(): Names;
}

/**
 * Sums clicks by name, such as a browser or a country, over many days. If consecutive days have the same names, the
 * names are parsed only once.
 */
export function createNameSums(): NameSums {
  const sums: Names = new Map();
  let run: OpenNames | null = null;

  function endRun(): void {
    if (!run) return;
    const names = run.line.split('\t');
    for (const [index, clicks] of run.counts.entries()) addCount(sums, names[index] as string, clicks);
    run = null;
  }

  return {
    add({ line, counts }) {
      if (counts.length === 0) return;
      if (run?.line === line) {
        for (let index = 0; index < counts.length; index += 1) (run.counts[index] as number) += counts[index] as number;
        return;
      }
      endRun();
      run = { line, counts };
    },
    sum() {
      endRun();
      return sums;
    },
  };
}

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

const NONE: Counts = { clicks: 0, visitors: 0, bots: 0 };

/** Analyzes a link's clicks from daily counts. The input may omit days without clicks. */
export function analyzeDays(
  days: Iterable<{ day: number; counts: StoredDay }>,
  range: Range,
  interval: Interval,
): Analysis {
  if (interval === 'month') {
    return analyzeMonths(
      Iterator.from(days).map(({ day, counts }) => ({ month: monthOf(day), counts })),
      range,
    );
  }
  const { from, to } = range;
  const known = new Map([...days].map(({ day, counts }) => [day, openDay(counts)]));
  const names = forEachKind(createNameSums);
  const sum = { ...NONE };
  const series: Analysis['series'] = [];
  for (let day = from; day <= to; day += 1) {
    const counts = known.get(day);
    const hours = counts ? hoursOf(counts) : [];
    const all = { ...NONE };
    for (const [, hour] of hours) addCounts(all, hour);
    addCounts(sum, all);
    if (counts) for (const kind of KINDS) names[kind].add(counts.names[kind]);
    if (interval === 'day') series.push({ start: startOf(day), ...all });
    else series.push(...byHour(day, new Map(hours)));
  }
  return { sum, series, names: forEachKind((kind) => mostFrequent(names[kind].sum())) };
}

/**
 * Analyzes a link's clicks from monthly counts. The first interval starts on the first day of the range, even if this
 * day is not the first of its month.
 */
export function analyzeMonths(parts: Iterable<{ month: number; counts: StoredDay }>, { from, to }: Range): Analysis {
  const names = forEachKind(createNameSums);
  const first = monthOf(from);
  const series: Analysis['series'] = Array.from({ length: monthOf(to) - first + 1 }, (_, at) => ({
    start: startOf(Math.max(from, firstDayOf(first + at))),
    ...NONE,
  }));
  const sum = { ...NONE };
  for (const { month, counts } of parts) {
    const open = openDay(counts);
    for (const [, hour] of hoursOf(open)) {
      addCounts(series[month - first] as Counts, hour);
      addCounts(sum, hour);
    }
    for (const kind of KINDS) names[kind].add(open.names[kind]);
  }
  return { sum, series, names: forEachKind((kind) => mostFrequent(names[kind].sum())) };
}

function byHour(day: number, hours: Map<number, Counts>): Analysis['series'] {
  return Array.from({ length: 24 }, (_, hour) => ({ start: startOf(day, hour), ...(hours.get(hour) ?? NONE) }));
}
