import type { Range } from '../domain/clicks/series.ts';
import type { StoredDay } from '../domain/clicks/stored.ts';

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
