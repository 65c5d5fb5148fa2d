import type { Migration } from '../schema-dialect.ts';

/**
 * Adds click counts with one row per link and day, so that reading the counts stays fast for any number of clicks.
 * The table `visitors` has one row per link, day and visitor. Its rows are deleted after one day. The new tables have
 * no foreign keys, because checking a foreign key would cost more than counting a click.
 */
export const countClicks: Migration = {
  id: 3,
  name: 'clicks',
  statements: ({ integer, bytes, tableOptions, clusteredOptions }) => [
    `CREATE TABLE click_totals (
      link_id ${integer} PRIMARY KEY,
      clicks ${integer} NOT NULL
    )${tableOptions}`,

    `CREATE TABLE click_days (
      link_id ${integer} NOT NULL,
      day ${integer} NOT NULL,
      counts TEXT NOT NULL,
      PRIMARY KEY (link_id, day)
    )${clusteredOptions}`,

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

    `CREATE TABLE click_journals (
      id TEXT PRIMARY KEY,
      progress TEXT NOT NULL
    )${tableOptions}`,

    `CREATE TABLE identity (
      one ${integer} PRIMARY KEY,
      id TEXT NOT NULL
    )${tableOptions}`,
  ],
};
