import type { Migration } from '../schema-dialect.ts';

/**
 * One row a link and day however many clicks it had, so reading a link's counts takes as long for millions as for ten.
 * `visitors` is the exception, and lives for a day. Nothing refers to `links`: it is never emptied, and looking up the
 * link would cost more than counting its click.
 */
export const clicks: Migration = {
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
