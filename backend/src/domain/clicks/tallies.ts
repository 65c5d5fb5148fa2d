import type { Agent } from './agents.ts';
import { type Counts, type DayCounts, emptyDay, hourIn, increase, type Tally } from './counts.ts';
import { dayOf, hourOf } from './days.ts';

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

export interface Tallies {
  add(click: Click): void;
  /** How much is held: a number that grows with the memory it takes. */
  readonly weight: number;
  /** Every tally, in an order that depends on the clicks alone. */
  all(): Unnamed[];
}

/** A tally whose sources are still to be named, which makes it several times as large. */
export interface Unnamed {
  link: number;
  day: number;
  hours: DayCounts['hours'];
  /** The hour of the last click, mostly that of the next too. */
  last: { hour: number; counts: Counts };
  visitors: Map<number, number>;
  sources: Map<Source, number>;
}

/** What a tally takes beside one of its sources or visitors. */
const TALLY_WEIGHT = 10;

/** Adds up clicks by link and UTC day. Those of bots are counted by the hour and nothing else. */
export function createTallies(): Tallies {
  const days = new Map<number, Map<number, Unnamed>>();
  let weight = 0;

  function tallyOf(link: number, day: number, hour: number): Unnamed {
    let links = days.get(day);
    if (!links) {
      links = new Map();
      days.set(day, links);
    }
    let tally = links.get(link);
    if (!tally) {
      tally = begin(link, day, hour);
      links.set(link, tally);
      weight += TALLY_WEIGHT;
    }
    return tally;
  }

  return {
    get weight() {
      return weight;
    },
    add({ link, instant, visitor, source }) {
      const hour = hourOf(instant);
      const tally = tallyOf(link, dayOf(instant), hour);
      if (tally.last.hour !== hour) tally.last = { hour, counts: hourIn(tally, hour) };
      if (source.agent.bot) {
        tally.last.counts.bots += 1;
        return;
      }
      tally.last.counts.clicks += 1;
      weight -= tally.sources.size + tally.visitors.size;
      tally.sources.set(source, (tally.sources.get(source) ?? 0) + 1);
      if ((tally.visitors.get(visitor) ?? 24) > hour) tally.visitors.set(visitor, hour);
      weight += tally.sources.size + tally.visitors.size;
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

/** The tally as it is added to what is stored. */
export function named({ link, day, hours, visitors, sources }: Unnamed): Tally {
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
