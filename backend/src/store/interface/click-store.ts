import type { Aggregate } from '../../domain/analytics/daily-counts.ts';
import type { StoredDay } from '../../domain/analytics/daily-counts-encoding.ts';
import type { Range } from '../../domain/analytics/time-series.ts';

/** Click counts of one link on one UTC day. `day` is the number of days since January 1, 1970. */
export interface ClickDay {
  day: number;
  counts: StoredDay;
}

/**
 * Summed clicks from a part of a click journal, which is a file that clicks are written to before they are counted.
 * `from` and `to` are the positions before and after this part. `from` is null for the first part.
 */
export interface ClickBatch {
  journal: string;
  from: string | null;
  to: string;
  aggregates: Aggregate[];
}

/** Click counts by link and UTC day. Single clicks are not stored. */
export interface ClickStore {
  /**
   * Adds the clicks from a part of a click journal and stores the position after this part, in one transaction.
   * Returns false without any change if this part was already counted.
   */
  apply(batch: ClickBatch): Promise<boolean>;
  /**
   * Returns the position up to which a click journal was counted. Returns null if no part of the journal was counted
   * yet.
   */
  progress(journal: string): Promise<string | null>;
  /** Deletes the stored position of a click journal whose files were counted completely and deleted. */
  forgetJournal(journal: string): Promise<void>;
  /**
   * Returns the click counts of a link in a range of days, in order. Both ends are included, and days without clicks
   * are omitted.
   */
  days(linkId: number, from: number, to: number): Promise<ClickDay[]>;
  /**
   * Returns the clicks on all links of an account for each hour of a range. Both ends are included, and hours without
   * clicks are omitted. Hours are counted since January 1, 1970.
   */
  accountHours(accountId: number, from: number, to: number): Promise<{ hour: number; clicks: number }[]>;
  /**
   * Returns the first hour from which `accountHours` returns complete counts. Returns null if all hours are complete.
   */
  accountHoursSince(): Promise<number | null>;
  /**
   * Returns the salt for the visitor hashes of a day. All server processes use the same salt. If the day has no salt
   * yet, `proposal` is stored.
   */
  salt(day: number, proposal: Uint8Array): Promise<Uint8Array>;
  /** Deletes the salts of earlier days. Without the salt, a stored hash can no longer be linked to a visitor. */
  forgetSalts(before: number): Promise<void>;
  /**
   * Deletes up to `max` visitor hashes of earlier days and returns their number. Clicks of those days that are
   * counted later do not increase the number of visitors.
   */
  forgetVisitors(before: number, max: number): Promise<number>;
  /** Returns the random id of this database. If the database has no id yet, `proposal` is stored. */
  identity(proposal: string): Promise<string>;
}

/**
 * Click counts of one link in one month, or on one day of that month. `month` is the number of months since January
 * 1970.
 */
export interface ClickMonth {
  month: number;
  counts: StoredDay;
}

/** Position in the table of daily counts: link and day of the last row that was read. */
export interface LinkDay {
  link: number;
  day: number;
}

/** Click counts by month. Daily counts that are too old to be kept are summed by month and then deleted. */
export interface MonthStore {
  /**
   * Returns the time of the database's clock. Summing days by month cannot be undone, so the possibly wrong clock of
   * one server must not be used.
   */
  now(): Promise<number>;
  /** Returns the first month whose days are still stored. Returns null if no days were summed by month yet. */
  rolledUpBefore(): Promise<number | null>;
  /**
   * Marks the months before `before` as stored by month. Months that were marked earlier stay marked. Returns false
   * if the days of all these months were already summed.
   */
  startRollUp(before: number): Promise<boolean>;
  /** Records that all days before a month were summed by month. */
  finishRollUp(before: number): Promise<void>;
  /**
   * Reads the next `max` rows of daily counts and replaces the old ones by monthly counts, in one transaction.
   * Returns the position of the last row, or null after the end of the table. Each day is summed only once, even if
   * several processes call this function at the same time.
   */
  rollUp(after: LinkDay, before: number, max: number): Promise<LinkDay | null>;
  /**
   * Returns a link's click counts in a range of UTC days. The counts come from a single database snapshot, and a
   * month can have several entries. If days of the range were already summed by month, the range must contain the
   * whole month.
   */
  read(linkId: number, range: Range): Promise<ClickMonth[]>;
}

/** Position before the first row. */
export const FIRST_ROW: LinkDay = { link: 0, day: 0 };

/** For databases with a separate table of daily counts for each month. */
export interface ClickPartitions {
  /** Creates the tables for this month and the next months. */
  keepAhead(now: number): Promise<void>;
  /** Drops the empty tables of the months before `before`. */
  dropEmpty(before: number): Promise<void>;
}
