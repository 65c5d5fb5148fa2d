import type { Aggregate } from '../../domain/analytics/daily-counts.ts';
import type { StoredDay } from '../../domain/analytics/daily-counts-encoding.ts';
import type { Range } from '../../domain/analytics/time-series.ts';

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

/** One link's counts of one month, or of one of its days, by the month's number (`monthOf`). */
export interface ClickMonth {
  month: number;
  counts: StoredDay;
}

/** Where rolling up is: the link and the day of the last row that was looked at. */
export interface LinkDay {
  link: number;
  day: number;
}

/** Counts of months that are too old to be kept by the day. */
export interface MonthStore {
  /** The database's clock. Rolling up cannot be undone, so it must not go by the clock of one process. */
  now(): Promise<number>;
  /** The first month whose days are still told apart; null where all are. */
  rolledUpBefore(): Promise<number | null>;
  /**
   * From now on the months before one are told as a sum each. Those told so already stay so. False where all of them were
   * rolled up before.
   */
  startRollUp(before: number): Promise<boolean>;
  /** Notes that all days before a month are rolled up. */
  finishRollUp(before: number): Promise<void>;
  /**
   * Rolls up the days before a month among the next `most` rows, in ONE transaction, and returns where that ended; null
   * where it was the last. A day is rolled up once, however many do so at once.
   */
  rollUp(after: LinkDay, before: number, most: number): Promise<LinkDay | null>;
  /**
   * What there is of a link's days and months over some UTC days, of one instant; a month may have many parts. The range must
   * hold whole months of those that are told as one sum.
   */
  read(linkId: number, range: Range): Promise<ClickMonth[]>;
}

/** Before every row. */
export const FIRST_ROW: LinkDay = { link: 0, day: 0 };

/** The tables that counts of days are in, where there is one for each month. */
export interface ClickPartitions {
  /** Makes those of this month and the next ones. */
  keepAhead(now: number): Promise<void>;
  /** Drops those of the months before one that have nothing left in them. */
  dropEmpty(before: number): Promise<void>;
}
