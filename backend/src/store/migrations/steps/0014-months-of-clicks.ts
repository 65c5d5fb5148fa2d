import type { Migration } from '../schema-dialect.ts';

/**
 * Where the counts of days go that are too old to be kept by the day: one row a link and month, in the form of a day. And the
 * first month whose days are still told apart, and the one before which none is left, once any were rolled up.
 */
export const monthsOfClicks: Migration = {
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
