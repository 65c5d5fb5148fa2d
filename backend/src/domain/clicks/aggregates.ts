import type { Agent } from './agents.ts';
import { type Aggregate, type Counts, type DayCounts, emptyDay, hourIn } from './counts.ts';
import { dayOf, hourOf } from './days.ts';
import { increase } from './names.ts';

/** A click, as far as it is told apart from others. */
export interface Click {
  link: number;
  instant: number;
  visitor: number;
  source: Source;
}

/** What clicks have in common that came the same way: the same object for all of them, so that they are counted as one. */
export interface Source {
  agent: Agent;
  referrer: string;
  country: string;
}

export interface Aggregator {
  add(click: Click): void;
  /** How much is held: a number that grows with the memory it takes. */
  readonly weight: number;
  /** Every aggregate, in an order that depends on the clicks alone. */
  all(): Unnamed[];
}

/** An aggregate whose sources are still to be named, which makes it several times as large. */
export interface Unnamed {
  link: number;
  day: number;
  hours: DayCounts['hours'];
  /** The hour of the last click, mostly that of the next too. */
  last: { hour: number; counts: Counts };
  visitors: Map<number, number>;
  sources: Map<Source, number>;
}

/** What an aggregate takes beside one of its sources or visitors. */
const AGGREGATE_WEIGHT = 10;

/** Adds up clicks by link and UTC day. Those of bots are counted by the hour and nothing else. */
export function createAggregator(): Aggregator {
  const days = new Map<number, Map<number, Unnamed>>();
  let weight = 0;

  function aggregateOf(link: number, day: number, hour: number): Unnamed {
    let links = days.get(day);
    if (!links) {
      links = new Map();
      days.set(day, links);
    }
    let aggregate = links.get(link);
    if (!aggregate) {
      aggregate = begin(link, day, hour);
      links.set(link, aggregate);
      weight += AGGREGATE_WEIGHT;
    }
    return aggregate;
  }

  return {
    get weight() {
      return weight;
    },
    add({ link, instant, visitor, source }) {
      const hour = hourOf(instant);
      const aggregate = aggregateOf(link, dayOf(instant), hour);
      if (aggregate.last.hour !== hour) aggregate.last = { hour, counts: hourIn(aggregate, hour) };
      if (source.agent.bot) {
        aggregate.last.counts.bots += 1;
        return;
      }
      aggregate.last.counts.clicks += 1;
      weight -= aggregate.sources.size + aggregate.visitors.size;
      aggregate.sources.set(source, (aggregate.sources.get(source) ?? 0) + 1);
      if ((aggregate.visitors.get(visitor) ?? 24) > hour) aggregate.visitors.set(visitor, hour);
      weight += aggregate.sources.size + aggregate.visitors.size;
    },
    all: () =>
      [...days.values()]
        .flatMap((links) => [...links.values()])
        .sort((one, two) => one.day - two.day || one.link - two.link),
  };
}

function begin(link: number, day: number, hour: number): Unnamed {
  const hours = new Map();
  const last = { hour, counts: hourIn({ hours }, hour) };
  return { link, day, hours, last, visitors: new Map(), sources: new Map() };
}

/** The aggregate as it is added to what is stored. */
export function named({ link, day, hours, visitors, sources }: Unnamed): Aggregate {
  const { names } = emptyDay();
  for (const [{ agent, referrer, country }, clicks] of sources) {
    increase(names.referrers, referrer, clicks);
    increase(names.browsers, agent.browser, clicks);
    increase(names.systems, agent.system, clicks);
    increase(names.devices, agent.device, clicks);
    increase(names.countries, country, clicks);
  }
  return { link, day, counts: { hours, names }, visitors };
}
