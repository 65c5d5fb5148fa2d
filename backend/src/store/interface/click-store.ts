import type { Aggregate } from '../../domain/analytics/daily-counts.ts';
import type { StoredDay } from '../../domain/analytics/daily-counts-encoding.ts';
import type { Range } from '../../domain/analytics/time-series.ts';

/** Counts of one link on one UTC day. `day` is numbered as by `dayOf`. */
export interface ClickDay {
  day: number;
  counts: StoredDay;
}

/**
 * The summed clicks of a part of a journal. `from` and `to` are the progress before and after this part, in a format
 * that only the journal's code reads. `from` is null for the first part.
 */
export interface ClickBatch {
  journal: string;
  from: string | null;
  to: string;
  aggregates: Aggregate[];
}

/** Click counts, summed by link and UTC day. Single clicks are not stored. */
export interface ClickStore {
  /**
   * Adds the clicks of a part of a journal and stores the journal's progress, in one transaction. Returns false and
   * changes nothing if the progress is not `from`, because this part was counted before.
   */
  apply(batch: ClickBatch): Promise<boolean>;
  /** Returns the progress of a journal. Returns null if nothing of it was counted. */
  progress(journal: string): Promise<string | null>;
  /** Deletes the progress of a journal that was counted completely and whose files are deleted. */
  forgetJournal(journal: string): Promise<void>;
  /**
   * Returns the counts of a link from one day to another, both included, in order. Days without clicks are left out.
   */
  days(linkId: number, from: number, to: number): Promise<ClickDay[]>;
  /**
   * Returns an account's clicks per hour over all its links, both ends included. Hours are numbered as by
   * `hourNumber`; hours without clicks are left out.
   */
  accountHours(accountId: number, from: number, to: number): Promise<{ hour: number; clicks: number }[]>;
  /** Returns the first hour for which `accountHours` is complete. Returns null if it is complete for all hours. */
  accountHoursSince(): Promise<number | null>;
  /**
   * Returns the salt for a day's visitor hashes, which all processes share. Stores `proposal` if the day has no salt
   * yet.
   */
  salt(day: number, proposal: Uint8Array): Promise<Uint8Array>;
  /** Deletes the salts of earlier days, so that their hashes can no longer be linked to visitors. */
  forgetSalts(before: number): Promise<void>;
  /**
   * Deletes up to `max` visitor hashes of earlier days and returns their number. Clicks of those days that are
   * counted later no longer add visitors.
   */
  forgetVisitors(before: number, max: number): Promise<number>;
  /** Returns the random id of this database. Stores `proposal` if it has none yet. */
  identity(proposal: string): Promise<string>;
}

/** Counts of one link in one month or on one day of it. `month` is numbered as by `monthOf`. */
export interface ClickMonth {
  month: number;
  counts: StoredDay;
}

/** Position of the roll-up: link and day of the last row that it read. */
export interface LinkDay {
  link: number;
  day: number;
}

/** Monthly counts, for months that are too old to be stored by day. */
export interface MonthStore {
  /**
   * Returns the time of the database's clock. A roll-up cannot be undone, so the clock of a single process must not
   * decide.
   */
  now(): Promise<number>;
  /** Returns the first month that is still stored by day, or null if none was rolled up yet. */
  rolledUpBefore(): Promise<number | null>;
  /**
   * Marks the months before `before` as stored by month. Months marked earlier stay marked. Returns false if all of
   * them were already rolled up.
   */
  startRollUp(before: number): Promise<boolean>;
  /** Records that all days before a month are rolled up. */
  finishRollUp(before: number): Promise<void>;
  /**
   * Rolls up the old days among the next `max` rows, in one transaction. Returns the last row it read, or null at
   * the end. Each day is rolled up once, even if several processes do this at the same time.
   */
  rollUp(after: LinkDay, before: number, max: number): Promise<LinkDay | null>;
  /**
   * Returns a link's counts of some UTC days, read in one snapshot. A month can have several entries. If months are
   * already rolled up, the range must contain them completely.
   */
  read(linkId: number, range: Range): Promise<ClickMonth[]>;
}

/** Position before the first row. */
export const FIRST_ROW: LinkDay = { link: 0, day: 0 };

/** Tables of daily counts, if each month has its own table. */
export interface ClickPartitions {
  /** Creates the tables of this month and the next ones. */
  keepAhead(now: number): Promise<void>;
  /** Drops the empty tables of the months before `before`. */
  dropEmpty(before: number): Promise<void>;
}
