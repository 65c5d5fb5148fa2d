import sql from 'sql-template-tag';
import { addDay, type DayCounts, firstDayOf, monthOf, readDay, rollUp } from '../../domain/analytics/day-counts.ts';
import type { LinkDay, MonthStore } from '../interface/click-store.ts';
import { addToDays, type DayChange } from './click-queries.ts';
import type { SharedDatabase } from './sql-runner.ts';

type DayRow = LinkDay & { counts: string };

/**
 * Implements merging old daily counts into one row per link and month.
 *
 * @param now reads the database's clock
 */
export function monthStore(database: SharedDatabase, now: () => Promise<number>): MonthStore {
  const { read, write, transaction, lockCounting } = database;
  return {
    now,
    async rolledUpBefore() {
      const [row] = await read<{ before: number }>(sql`SELECT before_month AS before FROM click_rollup WHERE one = 1`);
      return row?.before ?? null;
    },
    startRollUp: (before) =>
      transaction(async ({ run }) => {
        await run(sql`INSERT INTO click_rollup (one, before_month, done_month) VALUES (1, ${before}, ${NEVER})
          ON CONFLICT (one) DO UPDATE SET before_month = excluded.before_month
          WHERE click_rollup.before_month < excluded.before_month`);
        const [row] = await run<{ done: number }>(sql`SELECT done_month AS done FROM click_rollup WHERE one = 1`);
        return row?.done ?? NEVER;
      }),
    async finishRollUp(before) {
      await write(sql`UPDATE click_rollup SET done_month = ${before} WHERE one = 1 AND done_month < ${before}`);
    },
    rollUp: (after, months, max) =>
      transaction(async ({ run }) => {
        // Clicks are not counted meanwhile, because counting changes the same rows.
        await lockCounting(run);
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
    const month = rollUp(days.map(({ counts }) => readDay(counts)));
    return { link, day: firstDayOf(monthOf(day)), addTo: (counts: DayCounts) => void addDay(counts, month) };
  });
}
