import type { Aggregate } from '../../domain/analytics/daily-counts.ts';
import type { StoredDay } from '../../domain/analytics/daily-counts-encoding.ts';
import type { Range } from '../../domain/analytics/time-series.ts';

/** Click counts of one link on one UTC day. `day` is the number of days since January 1, 1970. */
export interface ClickDay {
  day: number;
  counts: StoredDay;
}

/**
 * Sums of the clicks in one part of a click journal. Clicks are recorded in a journal before they are counted. `from`
 * and `to` are the positions in the journal before and after this part. `from` is null for the first part.
 */
export interface ClickBatch {
  journal: string;
  from: string | null;
  to: string;
  aggregates: Aggregate[];
  /**
   * True if the next batch follows immediately. In this case, only the last batch waits for the disk. Until then, a
   * power failure can undo this batch.
   */
  hasMore?: boolean;
}

export interface ClickStore {
  /**
   * Counts the clicks in one part of a click journal. The same transaction stores the position after this part.
   * Returns false and changes nothing if the part was already counted.
   */
  apply(batch: ClickBatch): Promise<boolean>;
  /** Returns the position up to which a click journal has been counted, or null if no part has been counted yet. */
  progress(journal: string): Promise<string | null>;
  /** Deletes the stored position of a click journal, after the journal was completely counted and deleted. */
  forgetJournal(journal: string): Promise<void>;
  /**
   * Returns the daily click counts of a link, in order. Both ends of the range are included, and days without clicks
   * are omitted.
   */
  days(linkId: number, from: number, to: number): Promise<ClickDay[]>;
  /**
   * Returns the hourly clicks on all links of an account. Both ends of the range are included, and hours without
   * clicks are omitted. Hours are counted since January 1, 1970.
   */
  accountHours(accountId: number, from: number, to: number): Promise<{ hour: number; clicks: number }[]>;
  /**
   * Returns the first hour for which `accountHours` has complete counts, or null if the counts of all hours are
   * complete.
   */
  accountHoursSince(): Promise<number | null>;
  /**
   * Returns the salt for hashing the visitors of a day. All server processes use the same salt. If the day has no
   * salt yet, stores and returns `proposal`.
   */
  salt(day: number, proposal: Uint8Array): Promise<Uint8Array>;
  /** Deletes the salts of earlier days. Without the salt, a hash can no longer be traced back to a visitor. */
  forgetSalts(before: number): Promise<void>;
  /**
   * Deletes up to `max` visitor hashes of earlier days and returns the number of deleted hashes. Afterwards, the
   * visitor counts of these days no longer change.
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

/** Link and day of the last row that was read from the table of daily counts. */
export interface LinkDay {
  link: number;
  day: number;
}

/** Click counts by month. Daily counts that are too old to keep are summed by month and then deleted. */
export interface MonthStore {
  /**
   * Returns the time of the database's clock. The clock of a single server could be wrong, and the replacement of
   * daily counts with monthly counts cannot be undone.
   */
  now(): Promise<number>;
  /**
   * Returns the first month that still has daily counts, or null if no daily counts have been replaced with monthly
   * counts yet.
   */
  rolledUpBefore(): Promise<number | null>;
  /**
   * Stores that months before `before` are read from the monthly counts. Returns false if all daily counts of these
   * months have already been replaced.
   */
  startRollUp(before: number): Promise<boolean>;
  /** Stores that the daily counts of all months before `before` have been replaced with monthly counts. */
  finishRollUp(before: number): Promise<void>;
  /**
   * Reads the next `max` rows of daily counts. Rows of months before `before` are replaced with monthly counts in the
   * same transaction. Returns the position of the last row, or null at the end of the table. Several processes can
   * call this function at the same time.
   */
  rollUp(after: LinkDay, before: number, max: number): Promise<LinkDay | null>;
  /**
   * Returns a link's click counts in a range of UTC days, read from one database snapshot. A month can have several
   * entries. If a month has only monthly counts, the range must contain the whole month.
   */
  read(linkId: number, range: Range): Promise<ClickMonth[]>;
}

export const FIRST_ROW: LinkDay = { link: 0, day: 0 };

/** Manages the tables of daily counts in databases that have a separate table for each month. */
export interface ClickPartitions {
  keepAhead(now: number): Promise<void>;
  dropEmpty(before: number): Promise<void>;
}
