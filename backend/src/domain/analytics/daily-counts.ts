import { dayOf, startOf } from './calendar.ts';
import { addNames, bounded, type Names } from './top-values.ts';

/** What clicks are told apart by, apart from time. */
export const KINDS = ['referrers', 'browsers', 'systems', 'devices', 'countries'] as const;
export type Kind = (typeof KINDS)[number];

export interface Counts {
  clicks: number;
  visitors: number;
  bots: number;
}

/** Everything kept about one link on one UTC day. */
export interface DayCounts {
  /** By hour of the day, those without anything left out. */
  hours: Map<number, Counts>;
  names: Record<Kind, Names>;
}

/** What some clicks add to a link's day. */
export interface Aggregate {
  link: number;
  day: number;
  /** Not to be changed: other aggregates may share them. */
  counts: DayCounts;
  /** Visitors by their hash, with the hour in which each came first. */
  visitors: ReadonlyMap<number, number>;
}

/** Something of each kind. Spelt out, since counting clicks to many links spends its time here. */
export function ofEachKind<Value>(make: (kind: Kind) => Value): Record<Kind, Value> {
  return {
    referrers: make('referrers'),
    browsers: make('browsers'),
    systems: make('systems'),
    devices: make('devices'),
    countries: make('countries'),
  };
}

export function emptyDay(): DayCounts {
  return { hours: new Map(), names: ofEachKind(() => new Map()) };
}

/** What adding a day's counts to none comes to, which is cheaper. */
export function firstOfDay({ hours, names }: DayCounts): DayCounts {
  const copies = new Map<number, Counts>();
  for (const [hour, counts] of hours) copies.set(hour, { ...counts });
  return { hours: copies, names: ofEachKind((kind) => bounded(names[kind])) };
}

/** The counts of one hour, made where there are none yet. */
export function hourIn({ hours }: Pick<DayCounts, 'hours'>, hour: number): Counts {
  const known = hours.get(hour);
  if (known) return known;
  const made = { clicks: 0, visitors: 0, bots: 0 };
  hours.set(hour, made);
  return made;
}

/** Adds a day's counts to another's, in place. */
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

/** The sum of a day. */
export function total({ hours }: Pick<DayCounts, 'hours'>): Counts {
  const sum = { clicks: 0, visitors: 0, bots: 0 };
  for (const counts of hours.values()) addCounts(sum, counts);
  return sum;
}

/** The number of the month of the calendar that a UTC day lies in; January 1970 is 0. */
export function monthOf(day: number): number {
  const date = new Date(startOf(day));
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** The first UTC day of a month. */
export function firstDayOf(month: number): number {
  return dayOf(Date.UTC(1970, month, 1));
}

/** What the days of a month come to: one sum of its clicks, without hours, and all its names. */
export function rollUp(days: Iterable<DayCounts>): DayCounts {
  const month = emptyDay();
  const sum = hourIn(month, 0);
  for (const { hours, names } of days) {
    addDay(month, { hours: new Map(), names });
    addCounts(sum, total({ hours }));
  }
  return month;
}
