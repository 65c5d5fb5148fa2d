import type { Agent } from './agents.ts';
import { emptyDay, hourIn, increase, type Tally } from './counts.ts';
import { dayOf, hourOf } from './days.ts';

/** A click, as far as it is told apart from others. */
export interface Click {
  link: number;
  instant: number;
  visitor: number;
  /** The same object for the same agent, so that equal ones can be counted as one. */
  agent: Agent;
  referrer: string;
  country: string;
}

export interface Tallies {
  add(click: Click): void;
  /** How many tallies there are. */
  readonly size: number;
  /** Every tally, in an order that depends on the clicks alone. */
  all(): Tally[];
}

/** A tally whose agents are still to be named. */
interface Growing extends Tally {
  agents: Map<Agent, number>;
}

/** Adds up clicks by link and UTC day. Those of bots are counted by the hour and nothing else. */
export function createTallies(): Tallies {
  const days = new Map<number, Map<number, Growing>>();
  let size = 0;

  function tallyOf(link: number, day: number): Growing {
    let links = days.get(day);
    if (!links) {
      links = new Map();
      days.set(day, links);
    }
    let tally = links.get(link);
    if (!tally) {
      tally = { link, day, counts: emptyDay(), visitors: new Map(), agents: new Map() };
      links.set(link, tally);
      size += 1;
    }
    return tally;
  }

  return {
    get size() {
      return size;
    },
    add({ link, instant, visitor, agent, referrer, country }) {
      const hour = hourOf(instant);
      const { counts, visitors, agents } = tallyOf(link, dayOf(instant));
      const sum = hourIn(counts, hour);
      if (agent.bot) {
        sum.bots += 1;
        return;
      }
      sum.clicks += 1;
      agents.set(agent, (agents.get(agent) ?? 0) + 1);
      increase(counts.names.referrers, referrer, 1);
      increase(counts.names.countries, country, 1);
      if ((visitors.get(visitor) ?? 24) > hour) visitors.set(visitor, hour);
    },
    all: () =>
      [...days.values()]
        .flatMap((links) => [...links.values()].map(named))
        .sort((one, two) => one.day - two.day || one.link - two.link),
  };
}

function named({ link, day, counts, visitors, agents }: Growing): Tally {
  for (const [{ browser, system, device }, clicks] of agents) {
    increase(counts.names.browsers, browser, clicks);
    increase(counts.names.systems, system, clicks);
    increase(counts.names.devices, device, clicks);
  }
  return { link, day, counts, visitors };
}
