import { hash } from 'node:crypto';
import { dayOf } from '../domain/analytics/calendar.ts';
import { limitSize } from '../domain/bounded-map.ts';
import type { Clock, Random } from '../domain/clock-and-random.ts';
import type { ClickStore } from '../store/interface/click-store.ts';

/** Bytes in a day's salt. */
export const SALT_SIZE = 16;

/** Digits of the hash that are kept: 48 bits, so that even a million visitors of a link and day are told apart. */
const DIGITS = 12;

/**
 * Who clicked, as a number that means nothing once the day's salt is forgotten: the address goes in and does not come
 * out. Two devices behind one address are told apart where their browsers are.
 *
 * @param salt as text
 */
export function visitorHash(salt: string, address: string, agent: string): number {
  return Number.parseInt(hash('sha256', `${salt}\n${address}\n${agent}`).slice(0, DIGITS), 16);
}

/** The hash of the visitor with this address and user agent. */
export type Visitors = (salt: string, address: string, agent: string) => number;

/** How many addresses are remembered with their hashes, and user agents of each. Only in memory, and no longer than their salt. */
const MOST_ADDRESSES = 5000;
const MOST_AGENTS = 50;

/** A visitor who returns on the same day has the same hash, and looking it up costs a tenth of computing it. */
export function createVisitors(): Visitors {
  const known = new Map<string, Map<string, number>>();
  let current = '';

  return (salt, address, agent) => {
    if (salt !== current) known.clear();
    current = salt;
    let agents = known.get(address);
    const before = agents?.get(agent);
    if (before !== undefined) return before;
    const made = visitorHash(salt, address, agent);
    if (!agents || agents.size >= MOST_AGENTS) {
      agents = new Map();
      limitSize(known, MOST_ADDRESSES, address, agents);
    }
    agents.set(agent, made);
    return made;
  };
}

/** The salts of visitor hashes, one for each day. */
export interface Salts {
  /** The salt of an instant's day, as text. Available without waiting, since a redirect must not wait. */
  at(instant: number): string;
  /** Fetches the salts that are needed and forgets those of past days. */
  refresh(): Promise<void>;
}

/** How long before a day begins all processes agree on its salt, in milliseconds. */
const AHEAD = 5 * 60_000;

/** How long visitors are kept after their day, for clicks that are not counted yet, in milliseconds. */
const LATE = 15 * 60_000;

/** How many visitors are forgotten at once. */
const PORTION = 1000;

export function createSalts(clicks: ClickStore, clock: Clock, random: Random): Salts {
  const salts = new Map<number, string>();

  /** A salt of our own, used until the store answers which one all processes share. */
  function own(day: number): string {
    const salt = Buffer.from(random(SALT_SIZE)).toString('hex');
    salts.set(day, salt);
    return salt;
  }

  async function agree(day: number): Promise<void> {
    const proposal = Buffer.from(salts.get(day) ?? own(day), 'hex');
    salts.set(day, Buffer.from(await clicks.salt(day, proposal)).toString('hex'));
  }

  return {
    at: (instant) => salts.get(dayOf(instant)) ?? own(dayOf(instant)),
    async refresh() {
      const now = clock();
      const today = dayOf(now);
      for (const day of salts.keys()) if (day < today) salts.delete(day);
      await agree(today);
      if (dayOf(now + AHEAD) > today) await agree(today + 1);
      await clicks.forgetSalts(today);
      const closed = dayOf(now - LATE);
      while ((await clicks.forgetVisitors(closed, PORTION)) === PORTION);
    },
  };
}
