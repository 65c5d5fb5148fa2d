import type { Migration } from '../schema-dialect.ts';

/**
 * Splits the daily counts into one table for each month, on PostgreSQL only. Dropping an old month then leaves no
 * gaps in the tables. Existing statements that use `click_days` still work.
 */
export const splitDailyClicksByMonth: Migration = {
  id: 15,
  name: 'click days by month',
  oldest: 13,
  prepare: (dialect, now) => dialect.clickDaysByMonth(now).prepare,
  statements: (dialect, now) => dialect.clickDaysByMonth(now).statements,
};
