import type { Migration } from '../schema-dialect.ts';

/**
 * Clicks of all links of an account together, by the hour (`hourNumber`), so that "today" takes as long for a million links
 * as for one. An account has at most one row an hour. What was counted before this step is in none: where there was
 * anything, a row of account 0, which is nobody, keeps the hour from which on the sums are whole.
 */
export const accountHours: Migration = {
  id: 13,
  name: 'account hours',
  oldest: 11,
  statements: ({ integer, hourNow, clusteredOptions }) => [
    `CREATE TABLE account_hours (
      account_id ${integer} NOT NULL,
      hour ${integer} NOT NULL,
      clicks ${integer} NOT NULL,
      PRIMARY KEY (account_id, hour)
    )${clusteredOptions}`,
    `INSERT INTO account_hours (account_id, hour, clicks)
     SELECT 0, ${hourNow} + 1, 0 WHERE EXISTS (SELECT 1 FROM click_days)`,
  ],
};
