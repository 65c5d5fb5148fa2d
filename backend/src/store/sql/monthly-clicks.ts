import sql from 'sql-template-tag';
import { firstDayOf, monthOf, readDay, rollUp } from '../../domain/analytics/day-counts.ts';
import { addToDays, type DayChange } from './click-queries.ts';
import type { Database } from './database.ts';

/** Position in the table of daily click counts: the link and the day of the last row that was read. */
export interface LinkDay {
  link: number;
  day: number;
}

export const FIRST_ROW: LinkDay = { link: 0, day: 0 };

type DayRow = LinkDay & { counts: string };

/**
 * Merges daily counts that are too old to keep. The counts of a month are then stored under the month's first day, as
 * one total instead of counts per hour.
 */
export function monthStore(database: Database) {
  const { read, write, transaction, lock } = database;
  return {
    /**
     * Returns the current time from the database's clock, which all processes share. With a wrong clock, daily counts
     * could be merged too early, which cannot be undone.
     */
    now: () => database.now(read),
    /**
     * Returns the first month whose counts are available by day. Earlier months are available only by month. Returns
     * null if all months are available by day.
     */
    async rolledUpBefore(): Promise<number | null> {
      const [row] = await read<{ before: number }>(sql`SELECT before_month AS before FROM click_rollup WHERE one = 1`);
      return row?.before ?? null;
    },
    /**
     * Records that daily counts are no longer available for months before `before`. Returns the month before which all
     * counts are already merged.
     */
    startRollUp: (before: number) =>
      transaction(async (run): Promise<number> => {
        await run(sql`INSERT INTO click_rollup (one, before_month, done_month) VALUES (1, ${before}, ${NEVER})
          ON CONFLICT (one) DO UPDATE SET before_month = excluded.before_month
          WHERE click_rollup.before_month < excluded.before_month`);
        const [row] = await run<{ done: number }>(sql`SELECT done_month AS done FROM click_rollup WHERE one = 1`);
        return row?.done ?? NEVER;
      }),
    /** Records that all counts of months before `before` have been merged. */
    async finishRollUp(before: number): Promise<void> {
      await write(sql`UPDATE click_rollup SET done_month = ${before} WHERE one = 1 AND done_month < ${before}`);
    },
    /**
     * Merges the next `max` rows of daily counts in a range of months: `from` is included, `before` is not. Returns the
     * position of the last row, or null if there are no more rows.
     */
    rollUp: (after: LinkDay, months: { from: number; before: number }, max: number) =>
      transaction(async (run): Promise<LinkDay | null> => {
        // Clicks are not counted meanwhile, because counting changes the same rows.
        await lock(run, 'counting');
        const rows = await run<DayRow>(sql`SELECT link_id AS link, day, counts FROM click_days
          WHERE (link_id, day) > (${after.link}, ${after.day}) AND day >= ${firstDayOf(months.from)}
            AND day < ${firstDayOf(months.before)} ORDER BY link_id, day LIMIT ${max}`);
        const last = rows.at(-1);
        if (!last) return null;
        await run(sql`DELETE FROM click_days
          WHERE (link_id, day) > (${after.link}, ${after.day}) AND (link_id, day) <= (${last.link}, ${last.day})
            AND day >= ${firstDayOf(months.from)} AND day < ${firstDayOf(months.before)}`);
        await addToDays(database, run, monthsOf(rows));
        return { link: last.link, day: last.day };
      }),
  };
}

/** Value of the column `done_month` before the first merge of daily counts is finished. */
const NEVER = 0;

function monthsOf(rows: DayRow[]): DayChange[] {
  const groups = Map.groupBy(rows, ({ link, day }) => `${link} ${monthOf(day)}`);
  return [...groups.values()].map((days) => {
    const { link, day } = days[0] as DayRow;
    return { link, day: firstDayOf(monthOf(day)), counts: rollUp(days.map(({ counts }) => readDay(counts))) };
  });
}
