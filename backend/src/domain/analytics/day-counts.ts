/** All dates are in UTC, where every day has 24 hours, so days and hours can be calculated by division. */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Returns the number of a UTC day, counted from January 1, 1970, which is day 0. */
export function dayOf(instant: number): number {
  return Math.floor(instant / DAY);
}

export function hourOf(instant: number): number {
  return Math.floor((instant - dayOf(instant) * DAY) / HOUR);
}

/** Returns the number of hours from the start of January 1, 1970 to the given hour of a UTC day. */
export function hourNumber(day: number, hour: number): number {
  return day * 24 + hour;
}

/** Returns the time at which an hour of a UTC day begins, in milliseconds since 1970. */
export function startOf(day: number, hour = 0): number {
  return day * DAY + hour * HOUR;
}

export const KINDS = ['referrers', 'browsers', 'systems', 'devices', 'countries'] as const;
export type Kind = (typeof KINDS)[number];

export interface Counts {
  clicks: number;
  visitors: number;
  bots: number;
}

/** Click counts of one link on one UTC day. */
export interface DayCounts {
  /** Counts for each hour of the day. Hours without clicks are omitted. */
  hours: Map<number, Counts>;
  names: Record<Kind, Names>;
}

/** A click as it waits in the database to be counted. Contains no IP address and no full User-Agent header. */
export interface WaitingClick {
  link: number;
  /** Time of the click, in milliseconds since 1970. */
  at: number;
  /** Hash that identifies the visitor for one day, or null if the day is over. */
  visitor: number | null;
  bot: boolean;
  browser: string;
  system: string;
  device: string;
  referrer: string;
  country: string;
}

/** Clicks that were stored together, as two JSON texts, because the visitors must be deleted after their day. */
export interface StoredBatch {
  clicks: string;
  /** Null if the visitors are deleted. */
  visitors: string | null;
}

/** A click without its visitor, as an array, because objects are twice as long. */
type StoredClick = [number, number, boolean, string, string, string, string, string];

export function writeBatch(batch: readonly WaitingClick[]): StoredBatch {
  const stored = batch.map((click): StoredClick => {
    const { link, at, bot, browser, system, device, referrer, country } = click;
    return [link, at, bot, browser, system, device, referrer, country];
  });
  return { clicks: JSON.stringify(stored), visitors: JSON.stringify(batch.map(({ visitor }) => visitor)) };
}

export function readBatch({ clicks, visitors }: StoredBatch): WaitingClick[] {
  const hashes: (number | null)[] = JSON.parse(visitors ?? '[]');
  const stored: StoredClick[] = JSON.parse(clicks);
  return stored.map(([link, at, bot, browser, system, device, referrer, country], number) => {
    const visitor = hashes[number] ?? null;
    return { link, at, visitor, bot, browser, system, device, referrer, country };
  });
}

/** Clicks on one link during one UTC day. */
export interface LinkDayClicks {
  link: number;
  day: number;
  clicks: WaitingClick[];
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

/**
 * Returns click counts as JSON text, which fits into a single database row and can be read with the database's JSON
 * functions: `{"hours":{"14":[clicks,visitors,bots]},"referrers":{"news.example":3},"browsers":{…},…}`.
 */
export function writeDay({ hours, names }: DayCounts): string {
  const counts = [...hours].map(([hour, { clicks, visitors, bots }]) => [hour, [clicks, visitors, bots]]);
  return JSON.stringify({
    hours: Object.fromEntries(counts),
    ...forEachKind((kind) => Object.fromEntries(names[kind])),
  });
}

export function readDay(stored: string): DayCounts {
  const day = JSON.parse(stored) as Record<'hours', Record<string, [number, number, number]>> &
    Record<Kind, Record<string, number>>;
  const hours = Object.entries(day.hours).map(
    ([hour, [clicks, visitors, bots]]) => [Number(hour), { clicks, visitors, bots }] as const,
  );
  return { hours: new Map(hours), names: forEachKind((kind) => new Map(Object.entries(day[kind]))) };
}

export function hourIn({ hours }: Pick<DayCounts, 'hours'>, hour: number): Counts {
  const known = hours.get(hour);
  if (known) return known;
  const made = { clicks: 0, visitors: 0, bots: 0 };
  hours.set(hour, made);
  return made;
}

/** Adds `more` to `sum`. The number of stored names stays limited. */
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

export function groupByLinkAndDay(clicks: Iterable<WaitingClick>): LinkDayClicks[] {
  const groups = Map.groupBy(clicks, ({ link, at }) => `${link} ${dayOf(at)}`);
  return [...groups.values()].map((clicks) => {
    const { link, at } = clicks[0] as WaitingClick;
    return { link, day: dayOf(at), clicks };
  });
}

/** Adds clicks. Clicks by bots are counted per hour, but not by browser, referrer or country. */
export function addClicks(day: DayCounts, clicks: readonly WaitingClick[]): DayCounts {
  const { names } = day;
  for (const click of clicks) {
    const sum = hourIn(day, hourOf(click.at));
    if (click.bot) {
      sum.bots += 1;
      continue;
    }
    sum.clicks += 1;
    addCount(names.referrers, click.referrer, 1);
    addCount(names.browsers, click.browser, 1);
    addCount(names.systems, click.system, 1);
    addCount(names.devices, click.device, 1);
    addCount(names.countries, click.country, 1);
  }
  for (const kind of KINDS) limitNames(names[kind]);
  return day;
}

/** Returns the hash of each visitor, with the hour of the visitor's first click. Bots are not visitors. */
export function visitorsOf(clicks: readonly WaitingClick[]): Map<number, number> {
  const visitors = new Map<number, number>();
  for (const { at, visitor, bot } of clicks) {
    if (bot || visitor === null) continue;
    const hour = hourOf(at);
    visitors.set(visitor, Math.min(visitors.get(visitor) ?? hour, hour));
  }
  return visitors;
}

/** Returns the number of the calendar month that contains a UTC day. January 1970 is month 0. */
export function monthOf(day: number): number {
  const date = new Date(startOf(day));
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

export function firstDayOf(month: number): number {
  return dayOf(Date.UTC(1970, month, 1));
}

/** Used if the referrer or country of a click is unknown. */
export const UNKNOWN = '';
export const OTHER = 'other';

export type Names = Map<string, number>;

/**
 * Maximum number of different values, such as browsers or countries, that are stored per link, day and property. The
 * number must be limited, because clients can send any text.
 */
export const MAX_STORED_NAMES = 100;

export const MAX_LISTED_NAMES = 50;

export function addCount(names: Names, name: string, by: number): void {
  names.set(name, (names.get(name) ?? 0) + by);
}

/**
 * Adds counts to a summary of at most `MAX_STORED_NAMES` names. The algorithm is the Misra-Gries summary, merged as
 * in Agarwal et al., "Mergeable Summaries" (PODS 2012). If there are more than 100 names, the 101st highest count is
 * subtracted from the count of each name. The subtracted clicks are added to `other`. Names whose count falls to zero
 * are removed.
 *
 * Stored counts are never too high. They are too low by at most 1/101 of all clicks that have a name. A name with
 * more than 1/101 of these clicks is always stored.
 */
export function addNames(sum: Names, more: Iterable<[name: string, clicks: number]>): void {
  for (const [name, clicks] of more) addCount(sum, name, clicks);
  limitNames(sum);
}

/** Limits the number of names, as `addNames` does. */
function limitNames(sum: Names): void {
  const isOtherKept = sum.has(OTHER);
  if (sum.size - Number(isOtherKept) <= MAX_STORED_NAMES) return;
  const counts = Float64Array.from([...sum].filter(([name]) => name !== OTHER).map(([, clicks]) => clicks)).sort();
  const taken = counts.at(-1 - MAX_STORED_NAMES) as number;
  let other = sum.get(OTHER) ?? 0;
  for (const [name, clicks] of sum) {
    if (name === OTHER) continue;
    other += Math.min(clicks, taken);
    if (clicks > taken) sum.set(name, clicks - taken);
    else sum.delete(name);
  }
  sum.set(OTHER, other);
}

/**
 * Returns the `MAX_LISTED_NAMES` most frequent names in descending order. The clicks of all other names are summed as
 * `other`.
 */
export function mostFrequent(names: Names): [name: string, clicks: number][] {
  const own = [...names].filter(([name]) => name !== OTHER).sort(byClicks);
  const rest = own.slice(MAX_LISTED_NAMES).reduce((sum, [, clicks]) => sum + clicks, names.get(OTHER) ?? 0);
  const listed = own.slice(0, MAX_LISTED_NAMES);
  return rest > 0 ? [...listed, [OTHER, rest] as [string, number]].sort(byClicks) : listed;
}

function byClicks([one, a]: [string, number], [two, b]: [string, number]): number {
  return b - a || (one < two ? -1 : 1);
}
