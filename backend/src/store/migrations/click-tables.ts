import type { Dialect } from './schema-dialect.ts';

/**
 * Returns the statements that create the tables of clicks. Click counts have one row per link and day, so that
 * reading the counts stays fast for any number of clicks. The table `visitors` has one row per link, day and visitor.
 * Its rows are deleted after one day. The tables have no foreign keys, because checking a foreign key would cost more
 * than counting a click.
 *
 * - `click_totals` has a row for each link, so that an index can sort all links by clicks. `account_id` is null if the
 *   link is deleted.
 * - `account_hours` has the hourly clicks of an account, so that the dashboard can show today's clicks quickly.
 * - `waiting_clicks` has a row for each click that is not counted yet. `click_batches` has the last batch of clicks that
 *   each process stored on PostgreSQL.
 * - `click_days` has the counts of a day. The counts of a month whose days were merged are stored under the month's
 *   first day. `click_rollup` stores which months were merged.
 */
export function clickTables({ rowId, integer, bytes, tableOptions, clusteredOptions }: Dialect): string[] {
  return [
    `CREATE TABLE waiting_clicks (
      id ${rowId},
      link_id ${integer} NOT NULL,
      at ${integer} NOT NULL,
      visitor ${integer},
      bot ${integer} NOT NULL,
      browser TEXT NOT NULL,
      system TEXT NOT NULL,
      device TEXT NOT NULL,
      referrer TEXT NOT NULL,
      country TEXT NOT NULL
    )${tableOptions}`,

    `CREATE TABLE click_batches (
      process TEXT PRIMARY KEY,
      number ${integer} NOT NULL,
      written_at ${integer} NOT NULL
    )${tableOptions}`,

    `CREATE TABLE click_totals (
      link_id ${integer} PRIMARY KEY,
      account_id ${integer},
      clicks ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX click_totals_by_clicks ON click_totals (account_id, clicks, link_id)',

    `CREATE TABLE click_days (
      link_id ${integer} NOT NULL,
      day ${integer} NOT NULL,
      counts TEXT NOT NULL,
      PRIMARY KEY (link_id, day)
    )${clusteredOptions}`,

    `CREATE TABLE account_hours (
      account_id ${integer} NOT NULL,
      hour ${integer} NOT NULL,
      clicks ${integer} NOT NULL,
      PRIMARY KEY (account_id, hour)
    )${clusteredOptions}`,

    `CREATE TABLE click_rollup (
      one ${integer} PRIMARY KEY,
      before_month ${integer} NOT NULL,
      done_month ${integer} NOT NULL
    )${tableOptions}`,

    `CREATE TABLE visitor_days (
      day ${integer} PRIMARY KEY,
      salt ${bytes}
    )${tableOptions}`,

    `CREATE TABLE visitors (
      day ${integer} NOT NULL,
      link_id ${integer} NOT NULL,
      hash ${integer} NOT NULL,
      PRIMARY KEY (day, link_id, hash)
    )${clusteredOptions}`,
  ];
}
