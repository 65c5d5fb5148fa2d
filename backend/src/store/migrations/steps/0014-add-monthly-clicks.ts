import type { Migration } from '../schema-dialect.ts';

/**
 * Adds monthly counts, one row per link and month, for days that are too old to be stored by day. `click_rollup`
 * stores the first month that is still stored by day, and the month before which all days are rolled up.
 */
export const addMonthlyClicks: Migration = {
  id: 14,
  name: 'months of clicks',
  oldest: 13,
  statements: ({ integer, tableOptions, clusteredOptions }) => [
    `CREATE TABLE click_months (
      link_id ${integer} NOT NULL,
      month ${integer} NOT NULL,
      counts TEXT NOT NULL,
      PRIMARY KEY (link_id, month)
    )${clusteredOptions}`,
    `CREATE TABLE click_rollup (
      one ${integer} PRIMARY KEY,
      before_month ${integer} NOT NULL,
      done_month ${integer} NOT NULL
    )${tableOptions}`,
  ],
};
