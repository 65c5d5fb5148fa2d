import { dayOf, hourNumber, hourOf } from './calendar.ts';
import { type Aggregate, type DayCounts, emptyDay, hourIn } from './daily-counts.ts';
import { addCount } from './top-values.ts';
import type { UserAgent } from './user-agent-and-referrer.ts';

/** Clicks in typed arrays, with 25 bytes per click. JavaScript objects would need several times as much memory. */
export interface Columns {
  links: Float64Array;
  visitors: Float64Array;
  days: Int32Array;
  hours: Uint8Array;
  sources: Uint32Array;
}

export function makeColumns(room: number): Columns {
  return {
    links: new Float64Array(room),
    visitors: new Float64Array(room),
    days: new Int32Array(room),
    hours: new Uint8Array(room),
    sources: new Uint32Array(room),
  };
}

export function moveTo(larger: Columns, columns: Columns): Columns {
  larger.links.set(columns.links);
  larger.visitors.set(columns.visitors);
  larger.days.set(columns.days);
  larger.hours.set(columns.hours);
  larger.sources.set(columns.sources);
  return larger;
}

/**
 * A link id below `MAX_LINK` and an index below `MAX_INDEX` can be combined into one number that JavaScript
 * represents exactly.
 */
const MAX_LINK = 2 ** 33;
const MAX_INDEX = 2 ** 20;

/** Returns the indexes of the first `size` clicks, sorted by day, then by link, then by arrival. */
export function orderOf({ days, links }: Columns, size: number): Uint32Array {
  const isOneDay = days.subarray(0, size).every((day) => day === days[0]);
  const fits = size <= MAX_INDEX && links.subarray(0, size).every((link) => link < MAX_LINK);
  if (isOneDay && fits) return orderOfLinks(links, size);
  const order = Uint32Array.from({ length: size }, (_, index) => index);
  return order.sort(
    (one, other) =>
      (days[one] as number) - (days[other] as number) ||
      (links[one] as number) - (links[other] as number) ||
      one - other,
  );
}

/**
 * Returns the click indexes, sorted by link. Combines each link and index into one number, because sorting without a
 * comparison function is ten times faster.
 */
function orderOfLinks(links: Float64Array, size: number): Uint32Array {
  const keys = new Float64Array(size);
  for (let index = 0; index < size; index += 1) keys[index] = (links[index] as number) * MAX_INDEX + index;
  keys.sort();
  const order = new Uint32Array(size);
  for (let at = 0; at < size; at += 1) {
    const key = keys[at] as number;
    order[at] = key - Math.floor(key / MAX_INDEX) * MAX_INDEX;
  }
  return order;
}

export interface Click {
  link: number;
  instant: number;
  visitor: number;
  source: Source;
}

/** Browser, referrer and country of a click. Clicks with the same values share one object to save memory. */
export interface Source {
  agent: UserAgent;
  referrer: string;
  country: string;
}

/** Sums clicks by link and UTC day. Clicks by bots are counted per hour, but not by browser, referrer or country. */
export interface Aggregator {
  add(click: Click): void;
  readonly size: number;
  /**
   * Returns the sums, sorted by day and then by link. The database stores rows in the same order, so writing sorted
   * sums is faster.
   *
   * @param most maximum number of clicks per sum; additional clicks on the same link and day go into another sum
   */
  inOrder(most?: number): Generator<Aggregate>;
  clear(): void;
}

const INITIAL_CAPACITY = 4096;

/**
 * Collects clicks in typed arrays and sorts them at the end. If each link had a separate object, clicks on millions
 * of links would need twenty times as much memory.
 */
export function createAggregator(): Aggregator {
  let columns = makeColumns(INITIAL_CAPACITY);
  let size = 0;
  const sources: Source[] = [];
  const indexes = new Map<Source, number>();
  /** Number of clicks per entry of `sources`, while the clicks on one link and day are summed. */
  const counted = new Map<number, number>();
  /**
   * Cached counts for days on which a link has a single click. These counts depend only on the browser, referrer,
   * country and hour of the click.
   */
  const lone = new Map<number, DayCounts>();

  function indexOf(source: Source): number {
    const known = indexes.get(source);
    if (known !== undefined) return known;
    indexes.set(source, sources.length);
    return sources.push(source) - 1;
  }

  /**
   * Adds a click to a sum, but not the click's browser, referrer and country. The caller adds these values once for
   * all clicks from the same source.
   */
  function addTo({ counts, visitors }: Sum, index: number): void {
    const hour = columns.hours[index] as number;
    const source = columns.sources[index] as number;
    const sum = hourIn(counts, hour);
    if (sources[source]?.agent.bot) {
      sum.bots += 1;
      return;
    }
    sum.clicks += 1;
    counted.set(source, (counted.get(source) ?? 0) + 1);
    const visitor = columns.visitors[index] as number;
    if ((visitors.get(visitor) ?? 24) > hour) visitors.set(visitor, hour);
  }

  /** Sums the clicks on one link on one day. In `order`, these clicks start at `from` and end before `to`. */
  function sumOf(order: Uint32Array, from: number, to: number): Sum {
    const sum = { counts: emptyDay(), visitors: new Map() };
    for (let at = from; at < to; at += 1) addTo(sum, order[at] as number);
    for (const [source, clicks] of counted) addNamesOf(sum.counts, sources[source] as Source, clicks);
    counted.clear();
    return sum;
  }

  /** Sums a single click. The counts are cached, because many single clicks have equal counts. */
  function sumOfOne(order: Uint32Array, at: number): Pick<Aggregate, 'counts' | 'visitors'> {
    const index = order[at] as number;
    const [source, hour] = [columns.sources[index] as number, columns.hours[index] as number];
    const key = source * 24 + hour;
    let counts = lone.get(key);
    if (!counts) {
      ({ counts } = sumOf(order, at, at + 1));
      lone.set(key, counts);
    }
    const isBot = sources[source]?.agent.bot;
    return { counts, visitors: isBot ? NO_VISITORS : new Map([[columns.visitors[index] as number, hour]]) };
  }

  return {
    get size() {
      return size;
    },
    add({ link, instant, visitor, source }) {
      if (size === columns.links.length) columns = moveTo(makeColumns(2 * size), columns);
      columns.links[size] = link;
      columns.visitors[size] = visitor;
      columns.days[size] = dayOf(instant);
      columns.hours[size] = hourOf(instant);
      columns.sources[size] = indexOf(source);
      size += 1;
    },
    clear() {
      size = 0;
      sources.length = 0;
      indexes.clear();
      lone.clear();
    },
    *inOrder(most = Number.POSITIVE_INFINITY) {
      const { links, days } = columns;
      const order = orderOf(columns, size);
      for (let from = 0, to = 0; from < order.length; from = to) {
        const link = links[order[from] as number] as number;
        const day = days[order[from] as number] as number;
        do to += 1;
        while (to - from < most && links[order[to] as number] === link && days[order[to] as number] === day);
        const { counts, visitors } = to - from === 1 ? sumOfOne(order, from) : sumOf(order, from, to);
        yield { link, day, counts, visitors };
      }
    },
  };
}

interface Sum {
  counts: DayCounts;
  visitors: Map<number, number>;
}

const NO_VISITORS: ReadonlyMap<number, number> = new Map();

function addNamesOf({ names }: DayCounts, { agent, referrer, country }: Source, clicks: number): void {
  addCount(names.referrers, referrer, clicks);
  addCount(names.browsers, agent.browser, clicks);
  addCount(names.systems, agent.system, clicks);
  addCount(names.devices, agent.device, clicks);
  addCount(names.countries, country, clicks);
}

export interface AccountHour {
  account: number;
  hour: number;
  clicks: number;
}

export interface AccountHours {
  add(account: number, day: number, counts: Pick<DayCounts, 'hours'>): void;
  /** Returns the sums in a fixed order. Database transactions that lock rows in the same order cannot deadlock. */
  sums(): AccountHour[];
}

export function createAccountHours(): AccountHours {
  const accounts = new Map<number, Map<number, number>>();
  return {
    add(account, day, { hours }) {
      const sums = accounts.get(account) ?? new Map<number, number>();
      accounts.set(account, sums);
      for (const [hour, { clicks }] of hours) {
        const number = hourNumber(day, hour);
        if (clicks > 0) sums.set(number, (sums.get(number) ?? 0) + clicks);
      }
    },
    sums: () =>
      [...accounts]
        .flatMap(([account, sums]) => [...sums].map(([hour, clicks]) => ({ account, hour, clicks })))
        .sort((one, other) => one.account - other.account || one.hour - other.hour),
  };
}
