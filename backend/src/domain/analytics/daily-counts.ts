import { dayOf, startOf } from './calendar.ts';
import { addNames, limitNames, type Names } from './top-values.ts';

export const KINDS = ['referrers', 'browsers', 'systems', 'devices', 'countries'] as const;
export type Kind = (typeof KINDS)[number];

export interface Counts {
  clicks: number;
  visitors: number;
  bots: number;
}

export interface DayCounts {
  /** Counts for each hour of the day. Hours without clicks are omitted. */
  hours: Map<number, Counts>;
  names: Record<Kind, Names>;
}

export interface Aggregate {
  link: number;
  day: number;
  /** Callers must not modify this object, because several `Aggregate` objects can share it. */
  counts: DayCounts;
  /** Hash of each visitor, with the hour of the visitor's first click. */
  visitors: ReadonlyMap<number, number>;
}

/**
 * Creates one value for each property of a click. This function runs for every counted link, so it lists the
 * properties instead of using a slower loop.
 */
export function forEachKind<Value>(make: (kind: Kind) => Value): Record<Kind, Value> {
  return {
    referrers: make('referrers'),
    browsers: make('browsers'),
    systems: make('systems'),
    devices: make('devices'),
    countries: make('countries'),
  };
}

export function emptyDay(): DayCounts {
  return { hours: new Map(), names: forEachKind(() => new Map()) };
}

/** Copies the counts of a day. This is faster than adding the counts to an empty day. */
export function copyDay({ hours, names }: DayCounts): DayCounts {
  const copies = new Map<number, Counts>();
  for (const [hour, counts] of hours) copies.set(hour, { ...counts });
  return { hours: copies, names: forEachKind((kind) => limitNames(names[kind])) };
}

export function hourIn({ hours }: Pick<DayCounts, 'hours'>, hour: number): Counts {
  const known = hours.get(hour);
  if (known) return known;
  const made = { clicks: 0, visitors: 0, bots: 0 };
  hours.set(hour, made);
  return made;
}

export function addDay(sum: DayCounts, more: DayCounts): DayCounts {
  for (const [hour, counts] of more.hours) addCounts(hourIn(sum, hour), counts);
  for (const kind of KINDS) addNames(sum.names[kind], more.names[kind]);
  return sum;
}

export function addCounts(sum: Counts, { clicks, visitors, bots }: Counts): void {
  sum.clicks += clicks;
  sum.visitors += visitors;
  sum.bots += bots;
}

export function sumDay({ hours }: Pick<DayCounts, 'hours'>): Counts {
  const sum = { clicks: 0, visitors: 0, bots: 0 };
  for (const counts of hours.values()) addCounts(sum, counts);
  return sum;
}

/** Returns the number of the calendar month that contains a UTC day. January 1970 is month 0. */
export function monthOf(day: number): number {
  const date = new Date(startOf(day));
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

export function firstDayOf(month: number): number {
  return dayOf(Date.UTC(1970, month, 1));
}

/** Sums the days of a month. The result has one total instead of counts per hour. */
export function rollUp(days: Iterable<DayCounts>): DayCounts {
  const month = emptyDay();
  const sum = hourIn(month, 0);
  for (const { hours, names } of days) {
    addDay(month, { hours: new Map(), names });
    addCounts(sum, sumDay({ hours }));
  }
  return month;
}
