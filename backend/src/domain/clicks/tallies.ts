import type { Agent } from './agents.ts';
import { emptyDay, hourIn, increase, type Tally } from './counts.ts';
import { dayOf, hourOf } from './days.ts';

/** A click, as far as it is told apart from others. */
export interface Click {
  link: number;
  instant: number;
  visitor: number;
  agent: Agent;
  referrer: string;
  country: string;
}

export interface Tallies {
  add(click: Click): void;
  /** Every tally, in an order that depends on the clicks alone. */
  all(): Tally[];
}

/** Adds up clicks by link and UTC day. Those of bots are counted by the hour and nothing else. */
export function createTallies(): Tallies {
  const days = new Map<number, Map<number, Tally>>();

  function tallyOf(link: number, day: number): Tally {
    let links = days.get(day);
    if (!links) {
      links = new Map();
      days.set(day, links);
    }
    let tally = links.get(link);
    if (!tally) {
      tally = { link, day, counts: emptyDay(), visitors: new Map() };
      links.set(link, tally);
    }
    return tally;
  }

  return {
    add({ link, instant, visitor, agent, referrer, country }) {
      const hour = hourOf(instant);
      const { counts, visitors } = tallyOf(link, dayOf(instant));
      const { names } = counts;
      if (agent.bot) {
        hourIn(counts, hour).bots += 1;
        return;
      }
      hourIn(counts, hour).clicks += 1;
      increase(names.referrers, referrer, 1);
      increase(names.browsers, agent.browser, 1);
      increase(names.systems, agent.system, 1);
      increase(names.devices, agent.device, 1);
      increase(names.countries, country, 1);
      if ((visitors.get(visitor) ?? 24) > hour) visitors.set(visitor, hour);
    },
    all: () =>
      [...days.values()]
        .flatMap((links) => [...links.values()])
        .sort((one, two) => one.day - two.day || one.link - two.link),
  };
}
