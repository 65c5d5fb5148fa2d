import { hash } from 'node:crypto';
import { dayOf } from '../domain/analytics/calendar.ts';
import { limitSize } from '../domain/bounded-map.ts';
import type { Clock, Random } from '../domain/clock-and-random.ts';
import type { ClickStore } from '../store/interface/click-store.ts';

/** Bytes of a day's salt. */
export const SALT_SIZE = 16;

/** Digits of the stored hash: 48 bits, which distinguish even a million visitors of a link and day. */
const DIGITS = 12;

/**
 * Returns a visitor hash that is meaningless once the day's salt is deleted. Devices behind one address differ if
 * their browsers differ.
 *
 * @param salt as text
 */
export function visitorHash(salt: string, address: string, agent: string): number {
  return Number.parseInt(hash('sha256', `${salt}\n${address}\n${agent}`).slice(0, DIGITS), 16);
}

/** Returns the hash of the visitor with this address and user agent. */
export type Visitors = (salt: string, address: string, agent: string) => number;

/** Maximum number of addresses in memory, and of user agents per address. They are dropped with their salt. */
const MAX_ADDRESSES = 5000;
const MAX_AGENTS = 50;

/**
 * Caches hashes, because a returning visitor has the same hash on the same day, and a lookup costs a tenth of
 * computing it.
 */
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
    if (!agents || agents.size >= MAX_AGENTS) {
      agents = new Map();
      limitSize(known, MAX_ADDRESSES, address, agents);
    }
    agents.set(agent, made);
    return made;
  };
}

/** Salts of visitor hashes, one per day. */
export interface Salts {
  /** Returns the salt of a time's day as text. Synchronous, since a redirect must not wait. */
  at(instant: number): string;
  /** Fetches needed salts and deletes those of past days. */
  refresh(): Promise<void>;
}

/** Milliseconds before midnight at which all processes agree on the next day's salt. */
const AHEAD = 5 * 60_000;

/** Milliseconds after their day for which visitors are stored, for clicks that are not counted yet. */
const LATE = 15 * 60_000;

/** Number of visitors deleted at once. */
const PORTION = 1000;

export function createSalts(clicks: ClickStore, clock: Clock, random: Random): Salts {
  const salts = new Map<number, string>();

  /** Local salt until the store returns the one that all processes share. */
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
