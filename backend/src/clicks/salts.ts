import { dayOf } from '../domain/clicks/days.ts';
import { SALT_SIZE } from '../domain/clicks/visitors.ts';
import type { Clock } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import type { ClickStore } from '../store/click-store.ts';

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
