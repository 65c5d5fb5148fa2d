import { hash } from 'node:crypto';
import { dayOf } from '../domain/analytics/calendar.ts';
import { limitSize } from '../domain/bounded-map.ts';
import type { Clock, Random } from '../domain/clock-and-random.ts';
import type { ClickStore } from '../store/sql/click-queries.ts';

export const SALT_SIZE = 16;

/**
 * Number of hexadecimal digits in a visitor hash. 12 digits (48 bits) are enough to distinguish a million visitors
 * per link and day.
 */
const DIGITS = 12;

/**
 * Returns a hash that identifies a visitor for one day. Once the day's salt is deleted, the hash cannot be traced
 * back to the visitor. Devices with the same IP address get different hashes if their browsers differ.
 */
export function visitorHash(salt: string, address: string, agent: string): number {
  return Number.parseInt(hash('sha256', `${salt}\n${address}\n${agent}`).slice(0, DIGITS), 16);
}

export type Visitors = (salt: string, address: string, agent: string) => number;

/**
 * Maximum number of cached IP addresses. `MAX_AGENTS` limits the number of user agents per address. The cache is
 * cleared when the salt changes.
 */
const MAX_ADDRESSES = 5000;
const MAX_AGENTS = 50;

/**
 * Caches visitor hashes. A visitor keeps the same hash for a whole day, and reading a cached hash is ten times as
 * fast as computing the hash.
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
    const computed = visitorHash(salt, address, agent);
    if (!agents || agents.size >= MAX_AGENTS) {
      agents = new Map();
      limitSize(known, MAX_ADDRESSES, address, agents);
    }
    agents.set(agent, computed);
    return computed;
  };
}

/** Random salts for visitor hashes. Each day has a different salt. */
export interface Salts {
  /**
   * Returns the salt for the day of the given time. This function is synchronous, because redirects must not wait for
   * the database.
   */
  at(instant: number): string;
  /** Fetches the current salts from the database. */
  refresh(): Promise<void>;
}

/**
 * Time before midnight at which the salt for the next day is created, in milliseconds. All processes can then use the
 * same salt from midnight on.
 */
const AHEAD = 5 * 60_000;

export function createSalts(clicks: ClickStore, clock: Clock, random: Random): Salts {
  const salts = new Map<number, string>();

  /** Creates a temporary salt. This process uses it until the database returns the salt that all processes share. */
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
    },
  };
}
