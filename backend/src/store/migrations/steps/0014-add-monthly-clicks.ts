import type { Migration } from '../schema-dialect.ts';

/**
 * Adds monthly click counts, which replace old daily counts. The table `click_rollup` stores which months have only
 * monthly counts.
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
