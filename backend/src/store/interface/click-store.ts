import type { Aggregate } from '../../domain/analytics/daily-counts.ts';
import type { StoredDay } from '../../domain/analytics/daily-counts-encoding.ts';
import type { Range } from '../../domain/analytics/time-series.ts';

/** Click counts of one link on one UTC day. `day` is the number of days since January 1, 1970. */
export interface ClickDay {
  day: number;
  counts: StoredDay;
}

/**
 * Summed clicks from a part of a click journal. Clicks are first written to this file and counted later. `from` and
 * `to` are the positions in the file before and after this part. `from` is null for the first part.
 */
export interface ClickBatch {
  journal: string;
  from: string | null;
  to: string;
  aggregates: Aggregate[];
}

export interface ClickStore {
  /**
   * Counts the clicks in a part of a click journal, which is a file of uncounted clicks. The same transaction stores
   * the position after this part. Returns false and changes nothing if the part was counted before.
   */
  apply(batch: ClickBatch): Promise<boolean>;
  /**
   * Returns the position up to which a click journal (a file of uncounted clicks) was counted. Returns null if no part
   * was counted yet.
   */
  progress(journal: string): Promise<string | null>;
  /**
   * Deletes the stored position for a click journal (a file of uncounted clicks), after the file was counted
   * completely and deleted.
   */
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
   * Returns the first hour for which `accountHours` returns complete counts. Returns null if the counts are complete
   * for all hours.
   */
  accountHoursSince(): Promise<number | null>;
  /**
   * Returns the salt for hashing the visitors of a day. All server processes use the same salt. If the day has no
   * salt yet, `proposal` is stored.
   */
  salt(day: number, proposal: Uint8Array): Promise<Uint8Array>;
  /** Deletes the salts of earlier days. Without the salt, a hash can no longer be linked to a visitor. */
  forgetSalts(before: number): Promise<void>;
  /**
   * Deletes up to `max` visitor hashes of earlier days and returns their number. Without the hashes, the number of
   * visitors on those days can no longer increase.
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

/** Position in the table of daily counts, given by the link and the day of a row. */
export interface LinkDay {
  link: number;
  day: number;
}

/** Click counts by month. Daily counts that are too old to be kept are summed by month and then deleted. */
export interface MonthStore {
  /**
   * Returns the time of the database's clock. The clock of a single server could be wrong, and replacing daily counts
   * by monthly counts cannot be undone.
   */
  now(): Promise<number>;
  /**
   * Returns the first month that still has daily counts. Returns null if no daily counts were replaced by monthly
   * counts yet.
   */
  rolledUpBefore(): Promise<number | null>;
  /**
   * Marks the months before `before` as having only monthly counts. Returns false if all daily counts of these months
   * were already replaced.
   */
  startRollUp(before: number): Promise<boolean>;
  /** Records that the daily counts of all months before `before` were replaced by monthly counts. */
  finishRollUp(before: number): Promise<void>;
  /**
   * Reads the next `max` rows of daily counts and replaces the rows of old months by monthly counts, in one
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

/** Manages the tables of daily counts if each month has a separate table. */
export interface ClickPartitions {
  keepAhead(now: number): Promise<void>;
  dropEmpty(before: number): Promise<void>;
}
