import type { Migration } from '../schema-dialect.ts';

/**
 * On PostgreSQL each month's counts are in a table of their own: what is written is close together, and a month that was rolled
 * up goes without leaving a hole. Statements that name `click_days` work as before.
 */
export const clickDaysByMonth: Migration = {
  id: 15,
  name: 'click days by month',
  oldest: 13,
  prepare: (dialect, now) => dialect.clickDaysByMonth(now).prepare,
  statements: (dialect, now) => dialect.clickDaysByMonth(now).statements,
};
