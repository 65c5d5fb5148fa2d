/** What clicks are told apart by, apart from time. */
export const KINDS = ['referrers', 'browsers', 'systems', 'devices', 'countries'] as const;
export type Kind = (typeof KINDS)[number];

/** The name of what a client did not tell, and of everything that has no name of its own. */
export const UNTOLD = '';
export const OTHER = 'other';

/** Names kept by kind for each link and day. Clients make them up, so there is no end to them. */
const MOST_NAMES = 50;

export interface Counts {
  clicks: number;
  visitors: number;
  bots: number;
}

/** How often each name was told. */
export type Names = Map<string, number>;

/** Everything kept about one link on one UTC day. */
export interface DayCounts {
  /** By hour of the day, those without anything left out. */
  hours: Map<number, Counts>;
  names: Record<Kind, Names>;
}

/** What some clicks add to a link's day. Visitors are told by their hash, with the hour in which each came first. */
export interface Tally {
  link: number;
  day: number;
  counts: DayCounts;
  visitors: Map<number, number>;
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
  return { hours: copies, names: ofEachKind((kind) => mostFrequent(names[kind], MOST_NAMES)) };
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
  for (const kind of KINDS) {
    for (const [name, clicks] of more.names[kind]) increase(sum.names[kind], name, clicks);
    sum.names[kind] = mostFrequent(sum.names[kind], MOST_NAMES);
  }
  return sum;
}

export function addCounts(sum: Counts, { clicks, visitors, bots }: Counts): void {
  sum.clicks += clicks;
  sum.visitors += visitors;
  sum.bots += bots;
}

export function increase(names: Names, name: string, by: number): void {
  names.set(name, (names.get(name) ?? 0) + by);
}

/** The sum of a day. */
export function total({ hours }: DayCounts): Counts {
  const sum = { clicks: 0, visitors: 0, bots: 0 };
  for (const counts of hours.values()) addCounts(sum, counts);
  return sum;
}

/** The names told most often, and the rest as `other`. No click is lost, only its name. */
export function mostFrequent(names: Names, most: number): Names {
  if (names.size <= most) return names;
  const own = [...names].filter(([name]) => name !== OTHER);
  if (own.length <= most) return names;
  own.sort(([one, a], [two, b]) => b - a || (one < two ? -1 : 1));
  const rest = own.slice(most).reduce((sum, [, clicks]) => sum + clicks, names.get(OTHER) ?? 0);
  return new Map([...own.slice(0, most), [OTHER, rest]]);
}
