import type { Agent } from './agents.ts';
import { type Aggregate, emptyDay, hourIn } from './counts.ts';
import { dayOf, hourOf } from './days.ts';
import { increase } from './names.ts';

/** A click, as far as it is told apart from others. */
export interface Click {
  link: number;
  instant: number;
  visitor: number;
  source: Source;
}

/** What clicks have in common that came the same way: the same object for all of them, so that little is held of each. */
export interface Source {
  agent: Agent;
  referrer: string;
  country: string;
}

/** Adds clicks up by link and UTC day. Those of bots are counted by the hour and nothing else. */
export interface Aggregator {
  add(click: Click): void;
  /** Clicks added so far; each takes about 24 bytes. */
  readonly size: number;
  /**
   * What the clicks come to: by day, then by link, so that what is stored together is written together.
   *
   * @param most clicks that one aggregate adds up; a link with more on a day has several, one after the other
   */
  inOrder(most?: number): Generator<Aggregate>;
}

const FIRST_ROOM = 4096;

/**
 * Holds clicks in columns and sorts them at the end, instead of adding each to its link at once. Where clicks are spread
 * over millions of links most links have one, and a few objects for each would fill the memory twenty times over.
 */
export function createAggregator(): Aggregator {
  let columns = makeColumns(FIRST_ROOM);
  let size = 0;
  const sources: Source[] = [];
  const indexes = new Map<Source, number>();
  /** Clicks of the aggregate that is being made, by the index of their source. */
  const counted = new Map<number, number>();

  function indexOf(source: Source): number {
    const known = indexes.get(source);
    if (known !== undefined) return known;
    indexes.set(source, sources.length);
    return sources.push(source) - 1;
  }

  function sorted(): Uint32Array {
    const { days, links } = columns;
    const order = Uint32Array.from({ length: size }, (_, index) => index);
    return order.sort(
      (one, other) =>
        (days[one] as number) - (days[other] as number) ||
        (links[one] as number) - (links[other] as number) ||
        one - other,
    );
  }

  function begin(index: number): Aggregate {
    const [link, day] = [columns.links[index] as number, columns.days[index] as number];
    return { link, day, counts: emptyDay(), visitors: new Map() };
  }

  function isOf({ link, day }: Aggregate, index: number): boolean {
    return columns.links[index] === link && columns.days[index] === day;
  }

  /** All but the names, which are told apart once for all clicks that came the same way. */
  function addTo({ counts, visitors }: Aggregate, index: number): void {
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
    *inOrder(most = Number.POSITIVE_INFINITY) {
      const order = sorted();
      for (let from = 0; from < order.length; ) {
        const aggregate = begin(order[from] as number);
        const to = Math.min(from + most, order.length);
        for (; from < to && isOf(aggregate, order[from] as number); from += 1) addTo(aggregate, order[from] as number);
        for (const [source, clicks] of counted) addNamesOf(aggregate, sources[source] as Source, clicks);
        counted.clear();
        yield aggregate;
      }
    },
  };
}

function addNamesOf({ counts: { names } }: Aggregate, { agent, referrer, country }: Source, clicks: number): void {
  increase(names.referrers, referrer, clicks);
  increase(names.browsers, agent.browser, clicks);
  increase(names.systems, agent.system, clicks);
  increase(names.devices, agent.device, clicks);
  increase(names.countries, country, clicks);
}

interface Columns {
  links: Float64Array;
  visitors: Float64Array;
  days: Int32Array;
  hours: Uint8Array;
  sources: Uint32Array;
}

function makeColumns(room: number): Columns {
  return {
    links: new Float64Array(room),
    visitors: new Float64Array(room),
    days: new Int32Array(room),
    hours: new Uint8Array(room),
    sources: new Uint32Array(room),
  };
}

function moveTo(larger: Columns, columns: Columns): Columns {
  larger.links.set(columns.links);
  larger.visitors.set(columns.visitors);
  larger.days.set(columns.days);
  larger.hours.set(columns.hours);
  larger.sources.set(columns.sources);
  return larger;
}
