import type { DayCounts, WaitingClick } from '../../domain/analytics/day-counts.ts';

/** Click counts of one link on one UTC day. `day` is the number of days since January 1, 1970. */
export interface ClickDay {
  day: number;
  counts: DayCounts;
}

/**
 * Clicks that one process stores together. The numbers of a process increase, so that a batch is stored only once, even
 * if the database's response was lost and the batch is sent again.
 */
export interface ClickBatch {
  process: string;
  number: number;
  clicks: readonly WaitingClick[];
}

/** Result of counting some of the waiting clicks. */
export interface Counted {
  /** Number of clicks that no longer wait. */
  clicks: number;
  /** Number of clicks among them that were not counted, because their link or account no longer exists. */
  dropped: number;
}

export interface ClickStore {
  /** Stores clicks that wait to be counted. Does nothing if the batch is already stored. */
  add(batch: ClickBatch): Promise<void>;
  /**
   * Adds the oldest `max` waiting clicks to the click counts and deletes them, in one transaction. Returns null if
   * another process is counting.
   */
  count(max: number): Promise<Counted | null>;
  /** Returns approximately how many clicks wait to be counted. The result is never too low. */
  waiting(): Promise<number>;
  /** Deletes the batch numbers of processes that stored no clicks after `before`, in milliseconds since 1970. */
  forgetBatches(before: number): Promise<void>;
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
   * Returns the salt for the visitor hashes of a day. All server processes use the same salt. If the day has no salt
   * yet, stores and returns `proposal`.
   */
  salt(day: number, proposal: Uint8Array): Promise<Uint8Array>;
  /**
   * Deletes the salts and visitor hashes of all days before `day`, also those of waiting clicks. The visitor counts of
   * these days no longer change.
   */
  forgetVisitors(day: number): Promise<void>;
  /** Returns the random id of this database. If the database has no id yet, stores and returns `proposal`. */
  identity(proposal: string): Promise<string>;
}

/** Position in the table of daily click counts: the link and the day of the last row that was read. */
export interface LinkDay {
  link: number;
  day: number;
}

/**
 * Merges daily counts that are too old to keep. The counts of a month are then stored under the month's first day, as
 * one total instead of counts per hour.
 */
export interface MonthStore {
  /**
   * Returns the current time from the database's clock, which all processes share. With a wrong clock, daily counts
   * could be merged too early, which cannot be undone.
   */
  now(): Promise<number>;
  /**
   * Returns the first month whose counts are available by day. Earlier months are available only by month. Returns
   * null if all months are available by day.
   */
  rolledUpBefore(): Promise<number | null>;
  /**
   * Records that daily counts are no longer available for months before `before`. Returns the month before which all
   * counts are already merged.
   */
  startRollUp(before: number): Promise<number>;
  /** Records that all counts of months before `before` have been merged. */
  finishRollUp(before: number): Promise<void>;
  /**
   * Merges the next `max` rows of daily counts in a range of months: `from` is included, `before` is not. Returns the
   * position of the last row, or null if there are no more rows.
   */
  rollUp(after: LinkDay, months: { from: number; before: number }, max: number): Promise<LinkDay | null>;
}

export const FIRST_ROW: LinkDay = { link: 0, day: 0 };
