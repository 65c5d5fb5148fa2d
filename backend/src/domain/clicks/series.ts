import {
  addCounts,
  addDay,
  type Counts,
  type DayCounts,
  emptyDay,
  hourIn,
  KINDS,
  type Kind,
  type Names,
  total,
} from './counts.ts';
import { startOf } from './days.ts';

export type Interval = 'hour' | 'day';

/** Some UTC days, both ends included, by their numbers. */
export interface Range {
  from: number;
  to: number;
}

export interface Analysis {
  sum: Counts;
  /** Every interval of the range with the instant it begins at, whether or not anything came. */
  series: ({ start: number } & Counts)[];
  /** Names by how often they were told, most often first. */
  names: Record<Kind, [name: string, clicks: number][]>;
}

const NONE: Counts = { clicks: 0, visitors: 0, bots: 0 };

/** Adds up a link's days; those without clicks may be left out of them. */
export function analyse(
  days: Iterable<{ day: number; counts: DayCounts }>,
  { from, to }: Range,
  interval: Interval,
): Analysis {
  const known = new Map([...days].map(({ day, counts }) => [day, counts]));
  const sum = { ...NONE };
  const all = emptyDay();
  const series: Analysis['series'] = [];
  for (let day = from; day <= to; day += 1) {
    const counts = known.get(day) ?? emptyDay();
    addDay(all, counts);
    addCounts(sum, total(counts));
    if (interval === 'day') series.push({ start: startOf(day), ...total(counts) });
    else for (let hour = 0; hour < 24; hour += 1) series.push({ start: startOf(day, hour), ...hourIn(counts, hour) });
  }
  const names = Object.fromEntries(KINDS.map((kind) => [kind, ranked(all.names[kind])])) as Analysis['names'];
  return { sum, series, names };
}

function ranked(names: Names): [string, number][] {
  return [...names].sort(([one, a], [two, b]) => b - a || (one < two ? -1 : 1));
}
