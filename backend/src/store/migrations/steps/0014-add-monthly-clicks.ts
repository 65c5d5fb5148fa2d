import type { Migration } from '../schema-dialect.ts';

/**
 * Adds monthly click counts for days that are too old to be stored separately. The table `click_rollup` stores the
 * first month whose days are still stored, and the month up to which days were summed.
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
