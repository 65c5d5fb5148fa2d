import sql, { join } from 'sql-template-tag';
import { firstDayOf, monthOf, rollUp } from '../../domain/analytics/daily-counts.ts';
import { readDay, type StoredDay, writeDay } from '../../domain/analytics/daily-counts-encoding.ts';
import type { ClickMonth, LinkDay, MonthStore } from '../interface/click-store.ts';
import type { Run, SharedDatabase } from './sql-runner.ts';

type DayRow = LinkDay & { counts: StoredDay };
type MonthRow = ClickMonth & { link: number };

/**
 * Implements the store of monthly click counts.
 *
 * @param now reads the database's clock
 */
export function monthStore(
  { read, write, transaction, rowLock }: SharedDatabase,
  now: () => Promise<number>,
): MonthStore {
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
        return (row?.done ?? NEVER) < before;
      }),
    async finishRollUp(before) {
      await write(sql`UPDATE click_rollup SET done_month = ${before} WHERE one = 1 AND done_month < ${before}`);
    },
    rollUp: (after, before, max) =>
      transaction(async ({ run }) => {
        const last = await lastOfPortion(run, after, max);
        // The process that deletes a row also adds its counts to the month. If two processes run at the same time,
        // only one of them can delete the row, so its counts are added only once.
        const days = await run<DayRow>(sql`DELETE FROM click_days
          WHERE (link_id, day) > (${after.link}, ${after.day}) AND day < ${firstDayOf(before)}
            AND (link_id, day) <= (${(last ?? AFTER_LAST_ROW).link}, ${(last ?? AFTER_LAST_ROW).day})
          RETURNING link_id AS link, day, counts`);
        await add(run, monthsOf(days));
        return last;
      }),
    async read(linkId, { from, to }) {
      const rows = await read<{ day: number | null; month: number; counts: StoredDay }>(
        sql`SELECT NULL AS day, month, counts FROM click_months
            WHERE link_id = ${linkId} AND month BETWEEN ${monthOf(from)} AND ${monthOf(to)}
          UNION ALL SELECT day, 0 AS month, counts FROM click_days
            WHERE link_id = ${linkId} AND day BETWEEN ${from} AND ${to}`,
      );
      return rows.map(({ day, month, counts }) => ({ month: day === null ? month : monthOf(day), counts }));
    },
  };

  async function add(run: Run, months: MonthRow[]): Promise<void> {
    if (months.length === 0) return;
    const values = months.map(({ link, month, counts }) => sql`(${link}, ${month}, ${counts})`);
    const made = await run<MonthRow>(sql`INSERT INTO click_months (link_id, month, counts) VALUES ${join(values)}
      ON CONFLICT (link_id, month) DO NOTHING RETURNING link_id AS link, month`);
    const inserted = new Set(made.map(({ link, month }) => `${link} ${month}`));
    for (const more of months) if (!inserted.has(`${more.link} ${more.month}`)) await addTo(run, more);
  }

  /**
   * Adds counts to a month that already has counts. This happens if the daily counts of a month are merged in several
   * steps, or if clicks are counted late.
   */
  async function addTo(run: Run, { link, month, counts }: MonthRow): Promise<void> {
    const row = sql`link_id = ${link} AND month = ${month}`;
    const [known] = await run<ClickMonth>(sql`SELECT month, counts FROM click_months WHERE ${row} ${rowLock}`);
    if (!known) return;
    const sum = writeDay(rollUp([known.counts, counts].map(readDay)));
    await run(sql`UPDATE click_months SET counts = ${sum} WHERE ${row}`);
  }
}

/** Value of the column `done_month` before the first merge of daily counts is finished. */
const NEVER = 0;

const AFTER_LAST_ROW: LinkDay = { link: Number.MAX_SAFE_INTEGER, day: Number.MAX_SAFE_INTEGER };

async function lastOfPortion(run: Run, { link, day }: LinkDay, max: number): Promise<LinkDay | null> {
  const [last] = await run<LinkDay>(sql`SELECT link_id AS link, day FROM click_days
    WHERE (link_id, day) > (${link}, ${day}) ORDER BY link_id, day LIMIT 1 OFFSET ${max - 1}`);
  return last ?? null;
}

function monthsOf(days: DayRow[]): MonthRow[] {
  const groups = Map.groupBy(days, ({ link, day }) => `${link} ${monthOf(day)}`);
  return [...groups.values()]
    .map((rows) => {
      const { link, day } = rows[0] as DayRow;
      return { link, month: monthOf(day), counts: writeDay(rollUp(rows.map(({ counts }) => readDay(counts)))) };
    })
    .sort((one, other) => one.link - other.link || one.month - other.month);
}
