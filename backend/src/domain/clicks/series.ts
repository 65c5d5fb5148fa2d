import { addCounts, type Counts, KINDS, type Kind, ofEachKind } from './counts.ts';
import { startOf } from './days.ts';
import { createNameSums } from './name-sums.ts';
import { mostFrequent } from './names.ts';
import { hoursOf, openDay, type StoredDay } from './stored.ts';

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
  /** Names by how often they were told, most often first; those after the first fifty together as `other`. */
  names: Record<Kind, [name: string, clicks: number][]>;
}

const NONE: Counts = { clicks: 0, visitors: 0, bots: 0 };

/** Adds up a link's days; those without clicks may be left out of them. Names are added up whole and cut once. */
export function analyse(
  days: Iterable<{ day: number; counts: StoredDay }>,
  { from, to }: Range,
  interval: Interval,
): Analysis {
  const known = new Map([...days].map(({ day, counts }) => [day, openDay(counts)]));
  const names = ofEachKind(createNameSums);
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
  return { sum, series, names: ofEachKind((kind) => mostFrequent(names[kind].sum())) };
}

function byHour(day: number, hours: Map<number, Counts>): Analysis['series'] {
  return Array.from({ length: 24 }, (_, hour) => ({ start: startOf(day, hour), ...(hours.get(hour) ?? NONE) }));
}
