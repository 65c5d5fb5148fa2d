import { dayOf } from '../domain/clicks/days.ts';
import { SALT_SIZE } from '../domain/clicks/visitors.ts';
import type { Clock } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import type { ClickStore } from '../store/click-store.ts';

/** The salts of the days that visitors are told apart by. */
export interface Salts {
  /** The salt of an instant's day, as text. At hand at once, since a redirect waits for nothing. */
  at(instant: number): string;
  /** Fetches the salts that are needed, and forgets those of days gone by. */
  refresh(): Promise<void>;
}

/** How long before a day its salt is agreed on among processes, in milliseconds. */
const AHEAD = 5 * 60_000;

/** How long after a day its visitors can still be told apart, for clicks that wait to be counted, in milliseconds. */
const LATE = 15 * 60_000;

/** Visitors forgotten at once. */
const PORTION = 1000;

export function createSalts(clicks: ClickStore, clock: Clock, random: Random): Salts {
  const salts = new Map<number, string>();

  /** Until the store has said which salt all processes use, one of our own serves. */
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
