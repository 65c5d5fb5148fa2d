import type { Migration } from '../schema-dialect.ts';

/**
 * Splits the daily counts into one table per month, on PostgreSQL only. Deleting an old month then leaves no unused
 * space. SQL statements for the table `click_days` still work.
 */
export const splitDailyClicksByMonth: Migration = {
  id: 15,
  name: 'click days by month',
  oldest: 13,
  prepare: (dialect, now) => dialect.clickDaysByMonth(now).prepare,
  statements: (dialect, now) => dialect.clickDaysByMonth(now).statements,
};
