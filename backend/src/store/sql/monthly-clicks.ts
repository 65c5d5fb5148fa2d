import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { firstDayOf, monthOf, readDay, rollUp } from '../../domain/analytics/day-counts.ts';
import { addToDays, type DayChange } from './click-queries.ts';
import type { Database } from './database.ts';

/** Position in the table of daily click counts: the link and the day of the last row that was read. */
interface LinkDay {
  link: number;
  day: number;
}

type DayRow = LinkDay & { counts: string };

/** Maximum number of rows that one transaction merges. The number is small, so that redirects do not have to wait. */
const ROWS_AT_ONCE = 500;

/** Pause after each transaction in milliseconds, because the work is not urgent. */
const PAUSE = 50;

/**
 * Merges daily counts that are too old to keep. The counts of a month are then stored under the month's first day, as
 * one total instead of counts per hour.
 */
export function monthStore(database: Database) {
  const { read, write, transaction, lock, now } = database;

  /** Merges the next rows in a range of days. Returns the position of the last row, or null if there are no more rows. */
  const mergeNext = (after: LinkDay, days: { from: number; before: number }) =>
    transaction(async (run): Promise<LinkDay | null> => {
      // Clicks are not counted meanwhile, because counting changes the same rows.
      await lock(run, 'counting');
      const inRange = sql`(link_id, day) > (${after.link}, ${after.day}) AND day >= ${days.from} AND day < ${days.before}`;
      const rows = await run<DayRow>(sql`SELECT link_id AS link, day, counts FROM click_days
        WHERE ${inRange} ORDER BY link_id, day LIMIT ${ROWS_AT_ONCE}`);
      const last = rows.at(-1);
      if (!last) return null;
      await run(sql`DELETE FROM click_days WHERE ${inRange} AND (link_id, day) <= (${last.link}, ${last.day})`);
      await addToDays(database, run, monthsOf(rows));
      return { link: last.link, day: last.day };
    });

  return {
    /**
     * Returns the current time from the database's clock, which all processes share. With a wrong clock, daily counts
     * could be merged too early, which cannot be undone.
     */
    now: () => now(read),
    /**
     * Returns the first month whose counts are available by day. Earlier months are available only by month. Returns
     * null if all months are available by day.
     */
    async rolledUpBefore(): Promise<number | null> {
      const [row] = await read<{ before: number }>(sql`SELECT before_month AS before FROM click_rollup WHERE one = 1`);
      return row?.before ?? null;
    },
    /**
     * Merges the daily counts of the months before `before`, unless they were merged earlier. If the service stops before
     * all counts are merged, the next call merges the rest.
     */
    async rollUp(before: number, isStopping = () => false): Promise<void> {
      await write(sql`INSERT INTO click_rollup (one, before_month, done_month) VALUES (1, ${before}, 0)
        ON CONFLICT (one) DO UPDATE SET before_month = excluded.before_month
        WHERE click_rollup.before_month < excluded.before_month`);
      const [row] = await read<{ done: number }>(sql`SELECT done_month AS done FROM click_rollup WHERE one = 1`);
      const done = row?.done ?? 0;
      if (done >= before) return;
      const days = { from: firstDayOf(done), before: firstDayOf(before) };
      for (let last: LinkDay | null = { link: 0, day: 0 }; last; await sleep(PAUSE)) {
        if (isStopping()) return;
        last = await mergeNext(last, days);
      }
      await write(sql`UPDATE click_rollup SET done_month = ${before} WHERE one = 1 AND done_month < ${before}`);
    },
  };
}

function monthsOf(rows: DayRow[]): DayChange[] {
  const groups = Map.groupBy(rows, ({ link, day }) => `${link} ${monthOf(day)}`);
  return [...groups.values()].map((days) => {
    const { link, day } = days[0] as DayRow;
    return { link, day: firstDayOf(monthOf(day)), counts: rollUp(days.map(({ counts }) => readDay(counts))) };
  });
}
