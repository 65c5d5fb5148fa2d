import type { Aggregate } from '../../domain/analytics/daily-counts.ts';
import type { StoredDay } from '../../domain/analytics/daily-counts-encoding.ts';
import type { Range } from '../../domain/analytics/time-series.ts';

/** Click counts of one link on one UTC day. `day` is the number of days since January 1, 1970. */
export interface ClickDay {
  day: number;
  counts: StoredDay;
}

/**
 * Clicks from one part of a click journal, summed by link and day. Clicks are first written to a journal and counted
 * later, one part after another. `from` and `to` are the positions at which the part starts and ends. `from` is null
 * for the first part.
 */
export interface ClickBatch {
  journal: string;
  from: string | null;
  to: string;
  aggregates: Aggregate[];
  /**
   * True if another batch follows immediately. The database may then commit this batch without waiting for the disk.
   * Until the last batch is on disk, a power failure can undo this batch.
   */
  hasMore?: boolean;
}

export interface ClickStore {
  /**
   * Adds the clicks in one part of a click journal to the click counts. Returns false and changes nothing if the part
   * was already counted.
   */
  apply(batch: ClickBatch): Promise<boolean>;
  /** Returns the position up to which a click journal has been counted, or null if no part has been counted yet. */
  progress(journal: string): Promise<string | null>;
  /**
   * Deletes the stored position of a click journal. Called after all clicks in the journal were counted and the
   * journal was deleted.
   */
  forgetJournal(journal: string): Promise<void>;
  /**
   * Returns the daily click counts of a link, in order. Both ends of the range are included, and days without clicks
   * are omitted.
   */
  days(linkId: number, from: number, to: number): Promise<ClickDay[]>;
  /**
   * Returns an account's clicks per hour, summed over all its links. Both ends of the range are included, and hours
   * without clicks are omitted. `hour` is the number of hours since January 1, 1970.
   */
  accountHours(accountId: number, from: number, to: number): Promise<{ hour: number; clicks: number }[]>;
  /**
   * Returns the first hour for which `accountHours` has complete counts, or null if the counts of all hours are
   * complete.
   */
  accountHoursSince(): Promise<number | null>;
  /**
   * Returns the salt for the visitor hashes of a day. All server processes use the same salt. If the day has no salt
   * yet, stores and returns `proposal`.
   */
  salt(day: number, proposal: Uint8Array): Promise<Uint8Array>;
  /**
   * Deletes the salts of all days before `before`. Without the salt, a hash can no longer be traced back to a
   * visitor.
   */
  forgetSalts(before: number): Promise<void>;
  /**
   * Deletes up to `max` visitor hashes from days earlier than `before`. Returns the number of deleted hashes. Once
   * all hashes of a day are deleted, the visitor counts of that day no longer change.
   */
  forgetVisitors(before: number, max: number): Promise<number>;
  /** Returns the random id of this database. If the database has no id yet, stores and returns `proposal`. */
  identity(proposal: string): Promise<string>;
}

/**
 * Click counts of one link in one month, or on one day in that month. `month` is the number of months since January
 * 1970.
 */
export interface ClickMonth {
  month: number;
  counts: StoredDay;
}

/** Position in the table of daily click counts: the link and the day of the last row that was read. */
export interface LinkDay {
  link: number;
  day: number;
}

/** Click counts by month. Daily counts that are too old to keep are summed by month and then deleted. */
export interface MonthStore {
  /**
   * Returns the current time from the database's clock, which all processes share. With a wrong clock, daily counts
   * could be merged into monthly counts too early, which cannot be undone.
   */
  now(): Promise<number>;
  /**
   * Returns the first month whose counts are available by day. Earlier months are available only by month. Returns
   * null if all months are available by day.
   */
  rolledUpBefore(): Promise<number | null>;
  /**
   * Records that daily counts are no longer available for months before `before`. Returns false if the daily counts
   * of these months were already merged into monthly counts.
   */
  startRollUp(before: number): Promise<boolean>;
  /** Records that the daily counts of all months before `before` have been merged into monthly counts. */
  finishRollUp(before: number): Promise<void>;
  /**
   * Processes the next `max` rows of daily counts. Rows from months earlier than `before` are merged into monthly
   * counts. Returns the position of the last processed row, or null at the end of the table. Several processes can
   * call this function at the same time.
   */
  rollUp(after: LinkDay, before: number, max: number): Promise<LinkDay | null>;
  /**
   * Returns a link's click counts in a range of UTC days, read from one database snapshot. The result can contain
   * several entries for the same month. If a month has only monthly counts, the range must contain the whole month.
   */
  read(linkId: number, range: Range): Promise<ClickMonth[]>;
}

export const FIRST_ROW: LinkDay = { link: 0, day: 0 };
