import { dayOf, startOf } from './calendar.ts';
import { addNames, limitNames, type Names } from './top-values.ts';

/** Properties by which clicks are counted, in addition to time. */
export const KINDS = ['referrers', 'browsers', 'systems', 'devices', 'countries'] as const;
export type Kind = (typeof KINDS)[number];

export interface Counts {
  clicks: number;
  visitors: number;
  bots: number;
}

/** All counts of one link on one UTC day. */
export interface DayCounts {
  /** By hour of the day. Hours without clicks are omitted. */
  hours: Map<number, Counts>;
  names: Record<Kind, Names>;
}

/** Counts to add to a link's day. */
export interface Aggregate {
  link: number;
  day: number;
  /** Read-only, because other sums may share this object. */
  counts: DayCounts;
  /** Visitor hashes with the hour of their first click. */
  visitors: ReadonlyMap<number, number>;
}

/** Creates a value for each kind. Written out, because counting clicks of many links spends its time here. */
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

/** Equals adding a day to an empty day, but is faster. */
export function copyDay({ hours, names }: DayCounts): DayCounts {
  const copies = new Map<number, Counts>();
  for (const [hour, counts] of hours) copies.set(hour, { ...counts });
  return { hours: copies, names: forEachKind((kind) => limitNames(names[kind])) };
}

/** Returns the counts of an hour, and creates them if necessary. */
export function hourIn({ hours }: Pick<DayCounts, 'hours'>, hour: number): Counts {
  const known = hours.get(hour);
  if (known) return known;
  const made = { clicks: 0, visitors: 0, bots: 0 };
  hours.set(hour, made);
  return made;
}

/** Adds the counts of `more` to `sum` in place. */
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

/** Returns the sum of all hours of a day. */
export function sumDay({ hours }: Pick<DayCounts, 'hours'>): Counts {
  const sum = { clicks: 0, visitors: 0, bots: 0 };
  for (const counts of hours.values()) addCounts(sum, counts);
  return sum;
}

/** Returns the number of the calendar month of a UTC day. January 1970 is 0. */
export function monthOf(day: number): number {
  const date = new Date(startOf(day));
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** Returns the first UTC day of a month. */
export function firstDayOf(month: number): number {
  return dayOf(Date.UTC(1970, month, 1));
}

/** Sums the days of a month: one count without hours, and all names. */
export function rollUp(days: Iterable<DayCounts>): DayCounts {
  const month = emptyDay();
  const sum = hourIn(month, 0);
  for (const { hours, names } of days) {
    addDay(month, { hours: new Map(), names });
    addCounts(sum, sumDay({ hours }));
  }
  return month;
}
