import type { Aggregate } from '../../domain/analytics/daily-counts.ts';
import type { StoredDay } from '../../domain/analytics/daily-counts-encoding.ts';
import type { Range } from '../../domain/analytics/time-series.ts';

/** Click counts of one link on one UTC day. `day` is the number of days since January 1, 1970. */
export interface ClickDay {
  day: number;
  counts: StoredDay;
}

/**
 * Summed clicks from one part of a click journal, the file in which clicks are recorded before they are counted.
 * `from` and `to` are the positions in the journal before and after this part. `from` is null for the first part.
 */
export interface ClickBatch {
  journal: string;
  from: string | null;
  to: string;
  aggregates: Aggregate[];
  /** True if the next batch follows immediately. A power failure can then undo this batch until the last one is applied. */
  hasMore?: boolean;
}

export interface ClickStore {
  /**
   * Counts the clicks in one part of a click journal. The same transaction stores the position after this part.
   * Returns false and changes nothing if the part was counted before.
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
  /** Returns the first hour for which `accountHours` returns complete counts, or null if all hours are complete. */
  accountHoursSince(): Promise<number | null>;
  /**
   * Returns the salt for hashing a day's visitors. All server processes use the same salt. If the day has no salt
   * yet, stores and returns `proposal`.
   */
  salt(day: number, proposal: Uint8Array): Promise<Uint8Array>;
  /** Deletes the salts of earlier days. Without the salt, a hash can no longer be traced back to a visitor. */
  forgetSalts(before: number): Promise<void>;
  /**
   * Deletes up to `max` visitor hashes of earlier days and returns how many were deleted. Without the hashes, the
   * visitor counts of those days can no longer increase.
   */
  forgetVisitors(before: number, max: number): Promise<number>;
  /** Returns the random id of this database. If the database has no id yet, stores and returns `proposal`. */
  identity(proposal: string): Promise<string>;
}

/**
 * Click counts of one link in one month, or on one day of the month. `month` is the number of months since January
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
   * Returns the time of the database's clock. A single server's clock could be wrong, and replacing daily counts with
   * monthly counts cannot be undone.
   */
  now(): Promise<number>;
  /**
   * Returns the first month that still has daily counts. Returns null if no daily counts have been replaced with
   * monthly counts yet.
   */
  rolledUpBefore(): Promise<number | null>;
  /**
   * Marks the months before `before` as having only monthly counts. Returns false if all daily counts of these months
   * have already been replaced.
   */
  startRollUp(before: number): Promise<boolean>;
  /** Records that the daily counts of all months before `before` have been replaced with monthly counts. */
  finishRollUp(before: number): Promise<void>;
  /**
   * Reads the next `max` rows of daily counts, and replaces those of old months with monthly counts, in one
   * transaction. Returns the position of the last row, or null at the end of the table. Several processes can call
   * this function at the same time.
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
