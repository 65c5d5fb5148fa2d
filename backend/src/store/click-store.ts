import type { Aggregate } from '../domain/clicks/counts.ts';
import type { StoredDay } from '../domain/clicks/stored.ts';

/** One link's counts on one UTC day, by the day's number (`dayOf`). */
export interface ClickDay {
  day: number;
  counts: StoredDay;
}

/**
 * A part of a journal, added up. `from` and `to` say how far the journal was counted before and is after; only who
 * wrote the journal understands them. Null: nothing of it was counted yet.
 */
export interface ClickBatch {
  journal: string;
  from: string | null;
  to: string;
  aggregates: Aggregate[];
}

/** Clicks as they are kept: added up by link and UTC day, never one by one. */
export interface ClickStore {
  /**
   * Adds a part of a journal to the counts, and notes how far the journal is counted, in ONE transaction. False, and
   * without effect, where the journal is not at `from`: then this part was counted before.
   */
  apply(batch: ClickBatch): Promise<boolean>;
  /** How far a journal is counted; null where nothing of it is. */
  progress(journal: string): Promise<string | null>;
  /** Forgets a journal that is counted to its end and no longer there. */
  forgetJournal(journal: string): Promise<void>;
  /** A link's days from one to another, both included, in order; days without clicks are left out. */
  days(linkId: number, from: number, to: number): Promise<ClickDay[]>;
  /** Clicks of all links of an account together, by the hour (`hourNumber`), both ends included; hours without any are left out. */
  accountHours(accountId: number, from: number, to: number): Promise<{ hour: number; clicks: number }[]>;
  /** The first hour that those sums are whole of; null where they are of every hour there ever was. */
  accountHoursSince(): Promise<number | null>;
  /** The salt of a day's visitor hashes, the same for every process: `proposal` where it is the first to be made. */
  salt(day: number, proposal: Uint8Array): Promise<Uint8Array>;
  /** Forgets the salts of the days before one, so that their hashes can no longer be led back to anybody. */
  forgetSalts(before: number): Promise<void>;
  /**
   * Forgets visitors of the days before one, at most so many at once, and returns how many they were. From then on
   * clicks of those days that are still to be counted count as clicks alone.
   */
  forgetVisitors(before: number, most: number): Promise<number>;
  /** What tells this database from every other, for ever: `proposal` where nobody asked before. */
  identity(proposal: string): Promise<string>;
}
