import sql from 'sql-template-tag';
import {
  type DayCounts,
  dayOf,
  readDay,
  startOf,
  type WaitingClick,
  writeBatch,
} from '../../domain/analytics/day-counts.ts';
import { type Counted, countingTransaction, countRound } from './count-clicks.ts';
import { type Database, deleteSome } from './database.ts';

/** Click counts of one link on one UTC day. `day` is the number of days since January 1, 1970. */
export interface ClickDay {
  day: number;
  counts: DayCounts;
}

/**
 * Clicks that one process stores together. The numbers of a process increase, so that a batch is stored only once, even
 * if the database's response was lost and the batch is sent again.
 */
export interface ClickBatch {
  process: string;
  number: number;
  clicks: readonly WaitingClick[];
}

/** Maximum number of rows that one transaction changes. Redirects must wait for the transaction, so it is short. */
const FORGOTTEN_AT_ONCE = 1000;

/** Number of days after which the batch number of an ended process is deleted. */
const BATCHES_KEPT_DAYS = 7;

export type ClickStore = ReturnType<typeof clickStore>;

/** Stores clicks, counts them and reads their counts. */
export function clickStore(database: Database) {
  const { read, write, clickTransaction } = database;

  async function waiting(): Promise<number> {
    const [row] = await read<{ waiting: number }>(sql`SELECT coalesce(sum(size), 0) AS waiting FROM waiting_clicks`);
    return row?.waiting ?? 0;
  }

  return {
    /** Stores clicks that wait to be counted. Does nothing if the batch is already stored. */
    add: ({ process, number, clicks }: ClickBatch) =>
      clickTransaction(async (run): Promise<void> => {
        const stored = await run(sql`INSERT INTO click_batches (process, number, written_at)
          VALUES (${process}, ${number}, ${clicks.at(-1)?.at ?? 0}) ON CONFLICT (process) DO UPDATE
          SET number = excluded.number, written_at = excluded.written_at
          WHERE click_batches.number < excluded.number RETURNING number`);
        if (stored.length === 0) return;
        const days = Map.groupBy(clicks, ({ at }) => dayOf(at));
        // A row for each click would double the cost of a click.
        for (const [day, ofDay] of days) {
          const batch = writeBatch(ofDay);
          await run(sql`INSERT INTO waiting_clicks (day, size, clicks, visitors)
            VALUES (${day}, ${ofDay.length}, ${batch.clicks}, ${batch.visitors})`);
        }
      }),
    /** Returns the number of clicks that wait to be counted. Reads only an index. */
    waiting,
    /**
     * Counts all waiting clicks. Clicks on links that no longer exist are not counted. Returns early if other
     * processes store clicks faster than this process counts.
     *
     * @param onRound called with the number of clicks that still wait after each part
     * @throws the signal's reason if `stopping` is aborted
     */
    async count(stopping?: AbortSignal, onRound: (waiting: number) => void = () => {}): Promise<Counted> {
      const sum = { clicks: 0, dropped: 0 };
      const before = await waiting();
      while (sum.clicks < before && (await countRound(database, sum, stopping))) onRound(await waiting());
      return sum;
    },
    /**
     * Returns the daily click counts of a link, in order. Both ends of the range are included, and days without clicks
     * are omitted.
     */
    async days(linkId: number, from: number, to: number): Promise<ClickDay[]> {
      const rows = await read<{ day: number; counts: string }>(
        sql`SELECT day, counts FROM click_days WHERE link_id = ${linkId} AND day BETWEEN ${from} AND ${to} ORDER BY day`,
      );
      return rows.map(({ day, counts }) => ({ day, counts: readDay(counts) }));
    },
    /**
     * Returns an account's clicks per hour, summed over all its links. Both ends of the range are included, and hours
     * without clicks are omitted. `hour` is the number of hours since January 1, 1970.
     */
    accountHours: (accountId: number, from: number, to: number) =>
      read<{ hour: number; clicks: number }>(sql`SELECT hour, clicks FROM account_hours
        WHERE account_id = ${accountId} AND hour BETWEEN ${from} AND ${to} ORDER BY hour`),
    /**
     * Returns the salt for the visitor hashes of a day. All server processes use the same salt. If the day has no salt
     * yet, stores and returns `proposal`.
     */
    async salt(day: number, proposal: Uint8Array): Promise<Uint8Array> {
      await write(sql`INSERT INTO visitor_days (day, salt) VALUES (${day}, ${proposal}) ON CONFLICT (day) DO NOTHING`);
      const [row] = await read<{ salt: Uint8Array }>(sql`SELECT salt FROM visitor_days WHERE day = ${day}`);
      return row?.salt ?? proposal;
    },
    /**
     * Deletes the salts and visitor hashes of all days except `today` and the next day, also those of waiting clicks,
     * and old batch numbers. Later days exist if a clock was wrong. Another process may already have begun the next day.
     * No clicks are counted meanwhile, because counting stores visitors. Returns false if a file still contains the data.
     */
    async forgetVisitors(today: number): Promise<boolean> {
      // SQLite would read all visitors to find those with `day NOT BETWEEN`.
      const isOther = sql`(day < ${today} OR day > ${today + 1})`;
      await write(sql`DELETE FROM visitor_days WHERE ${isOther}`);
      await write(sql`DELETE FROM click_batches WHERE written_at < ${startOf(today - BATCHES_KEPT_DAYS)}`);
      const visitors = { table: sql`visitors`, key: sql`day, link_id, hash`, condition: isOther };
      while (await countingTransaction(database, (run) => deleteSome(run, visitors, FORGOTTEN_AT_ONCE)));
      /** Returns the last of the next ids, or undefined after the last click. */
      const forgetNext = (after: number) =>
        countingTransaction(database, async (run) => {
          const ids = await run<{ id: number }>(
            sql`SELECT id FROM waiting_clicks WHERE id > ${after} ORDER BY id LIMIT ${FORGOTTEN_AT_ONCE}`,
          );
          const last = ids.at(-1)?.id;
          if (last === undefined) return undefined;
          await run(sql`UPDATE waiting_clicks SET visitors = NULL
            WHERE id > ${after} AND id <= ${last} AND ${isOther} AND visitors IS NOT NULL`);
          return last;
        });
      for (let last: number | undefined = 0; last !== undefined; ) last = await forgetNext(last);
      return database.eraseDeleted();
    },
  };
}
