import type { Agent } from './agents.ts';
import { makeColumns, moveTo, orderOf } from './columns.ts';
import { type Aggregate, type DayCounts, emptyDay, hourIn } from './counts.ts';
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
  /** Forgets all clicks, but keeps the room they took for the next ones. */
  clear(): void;
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
  /** What a click comes to that is alone on its link and day, by its source and hour. */
  const lone = new Map<number, DayCounts>();

  function indexOf(source: Source): number {
    const known = indexes.get(source);
    if (known !== undefined) return known;
    indexes.set(source, sources.length);
    return sources.push(source) - 1;
  }

  /** All but the names, which are told apart once for all clicks that came the same way. */
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

  /** What some clicks of one link and day come to: those from one place in an order to another. */
  function sumOf(order: Uint32Array, from: number, to: number): Sum {
    const sum = { counts: emptyDay(), visitors: new Map() };
    for (let at = from; at < to; at += 1) addTo(sum, order[at] as number);
    for (const [source, clicks] of counted) addNamesOf(sum.counts, sources[source] as Source, clicks);
    counted.clear();
    return sum;
  }

  /** The same for a click that is alone on its link and day, as most are where clicks are spread over many links. */
  function sumOfLone(order: Uint32Array, at: number): Pick<Aggregate, 'counts' | 'visitors'> {
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
        const { counts, visitors } = to - from === 1 ? sumOfLone(order, from) : sumOf(order, from, to);
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
  increase(names.referrers, referrer, clicks);
  increase(names.browsers, agent.browser, clicks);
  increase(names.systems, agent.system, clicks);
  increase(names.devices, agent.device, clicks);
  increase(names.countries, country, clicks);
}
