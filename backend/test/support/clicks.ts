import { randomUUID } from 'node:crypto';
import { startOf, sumDay, type WaitingClick } from '../../src/domain/analytics/day-counts.ts';
import type { Store } from '../../src/store/open-store.ts';
import { NOON } from './store.ts';

type Clicked = Pick<Store, 'clicks'>;

/** Returns a click by a person. */
export function click(link: number, more: Partial<WaitingClick> = {}): WaitingClick {
  const agent = { bot: false, browser: 'Firefox', system: 'Linux', device: 'desktop' };
  return { link, at: NOON, visitor: null, ...agent, referrer: '', country: '', ...more };
}

/** Returns several equal clicks by people in one hour of a UTC day. */
export function clicksOn(link: number, day: number, hour: number, times: number): WaitingClick[] {
  return Array.from({ length: times }, () => click(link, { at: startOf(day, hour) }));
}

/** Stores clicks as a server process does. */
export async function addClicks({ clicks }: Clicked, more: readonly WaitingClick[]): Promise<void> {
  await clicks.add({ process: randomUUID(), number: 1, clicks: more });
}

export async function addAndCount(store: Clicked, clicks: readonly WaitingClick[]): Promise<void> {
  await addClicks(store, clicks);
  await store.clicks.count();
}

/** Returns the clicks, visitors and bots of a link, summed over a range of days. */
export async function countsOf({ clicks }: Clicked, link: number, from = 0, to = 1e6) {
  const sum = { clicks: 0, visitors: 0, bots: 0 };
  for (const { counts } of await clicks.days(link, from, to)) {
    const day = sumDay(counts);
    sum.clicks += day.clicks;
    sum.visitors += day.visitors;
    sum.bots += day.bots;
  }
  return sum;
}
