import type { Migration } from '../schema-dialect.ts';

/**
 * Adds hourly click counts for each account, so that the dashboard can show today's clicks quickly. Clicks from
 * before this migration are not included. If there are such clicks, a row with the account id 0 stores the first hour
 * with complete counts.
 */
export const sumAccountClicksByHour: Migration = {
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
