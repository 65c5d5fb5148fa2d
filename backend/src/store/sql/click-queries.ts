import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import {
  addClicks,
  addDay,
  type DayCounts,
  emptyDay,
  groupByLinkAndDay,
  hourIn,
  hourNumber,
  hourOf,
  type LinkDayClicks,
  readDay,
  startOf,
  visitorsOf,
  type WaitingClick,
  writeDay,
} from '../../domain/analytics/day-counts.ts';
import { type Database, deleteSome, type Run } from './database.ts';

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

/** Result of counting the waiting clicks. */
export interface Counted {
  /** Number of clicks that no longer wait. */
  clicks: number;
  /** Number of clicks among them that were not counted, because their link or account no longer exists. */
  dropped: number;
}

/** Number of clicks that one transaction counts. Redirects must wait for it on SQLite, so the number is small. */
const CLICKS_PER_SLICE = 100;

/** Number of waiting clicks that are sorted by link at once. */
const CLICKS_SORTED = 10_000;

export type ClickStore = ReturnType<typeof clickStore>;

/** Stores clicks, counts them and reads their counts. */
export function clickStore(database: Database) {
  const { read, write, clickTransaction } = database;

  async function waiting(): Promise<number> {
    const [row] = await read<{ waiting: number }>(
      sql`SELECT coalesce(max(id) - min(id) + 1, 0) AS waiting FROM waiting_clicks`,
    );
    return row?.waiting ?? 0;
  }

  /**
   * Returns the ids of the oldest clicks, sorted by link. If clicks on the same link and on neighboring links are counted
   * together, fewer pages of the database change, which is several times faster.
   */
  async function oldest(): Promise<number[]> {
    const rows = await read<{ id: number }>(sql`SELECT id FROM
      (SELECT id, link_id FROM waiting_clicks ORDER BY id LIMIT ${CLICKS_SORTED}) AS oldest ORDER BY link_id`);
    return rows.map(({ id }) => id);
  }

  const countSlice = (ids: readonly number[]) =>
    countingTransaction(database, async (run) => addToCounts(database, run, await takeWaiting(database, run, ids)));

  return {
    /** Stores clicks that wait to be counted. Does nothing if the batch is already stored. */
    add: ({ process, number, clicks }: ClickBatch) =>
      clickTransaction(async (run): Promise<void> => {
        const [last] = clicks.slice(-1);
        if (!last) return;
        const stored = await run(sql`INSERT INTO click_batches (process, number, written_at)
          VALUES (${process}, ${number}, ${last.at}) ON CONFLICT (process) DO UPDATE
          SET number = excluded.number, written_at = excluded.written_at
          WHERE click_batches.number < excluded.number RETURNING number`);
        if (stored.length > 0) await addWaiting(database, run, clicks);
      }),
    /** Returns about how many clicks wait to be counted. The number is never too low. Reads only both ends of an index. */
    waiting,
    /**
     * Counts all waiting clicks in slices. Clicks on links that no longer exist are not counted. Returns early if other
     * processes store clicks faster than this process counts.
     */
    async count(): Promise<Counted> {
      const sum = { clicks: 0, dropped: 0 };
      for (let left = await waiting(); left > 0; ) {
        const ids = await oldest();
        left = ids.length < CLICKS_SORTED ? 0 : left - ids.length;
        while (ids.length > 0) {
          const start = performance.now();
          const { clicks, dropped } = await countSlice(ids.splice(0, CLICKS_PER_SLICE));
          sum.clicks += clicks;
          sum.dropped += dropped;
          // Leaves half of the time to requests, because each of them needs several ticks of the event loop.
          await sleep(performance.now() - start);
        }
      }
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
     * Deletes the salts and visitor hashes of all days before `day`, also those of waiting clicks, and old batch numbers.
     * The visitor counts of these days no longer change.
     */
    forgetVisitors: (day: number) => forgetVisitors(database, day),
  };
}

/**
 * Runs a transaction that changes counts, visitors or waiting clicks. Only one such transaction runs at a time.
 * Otherwise, two of them could wait for each other, or one could miss what the other is just storing.
 */
function countingTransaction<Result>(
  { clickTransaction, lock }: Database,
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  return clickTransaction(async (run) => {
    await lock(run, 'counting');
    return work(run);
  });
}

async function addWaiting({ jsonRows }: Database, run: Run, clicks: readonly WaitingClick[]): Promise<void> {
  const rows = clicks.map(({ link, at, visitor, bot, browser, system, device, referrer, country }) => [
    ...[link, at, visitor, Number(bot)],
    ...[browser, system, device, referrer, country],
  ]);
  await run(sql`INSERT INTO waiting_clicks
      (link_id, at, visitor, bot, browser, system, device, referrer, country)
    SELECT CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS BIGINT), CAST(value ->> 2 AS BIGINT),
      CAST(value ->> 3 AS BIGINT), value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8
    FROM ${jsonRows(rows)}`);
}

/** Deletes clicks and returns them. Omits clicks that another process has counted meanwhile. */
async function takeWaiting({ jsonRows }: Database, run: Run, ids: readonly number[]): Promise<WaitingClick[]> {
  const rows = await run<Omit<WaitingClick, 'bot'> & { bot: number }>(sql`DELETE FROM waiting_clicks
    WHERE id IN (SELECT CAST(value ->> 0 AS BIGINT) FROM ${jsonRows(ids.map((id) => [id]))})
    RETURNING link_id AS link, at, visitor, bot, browser, system, device, referrer, country`);
  return rows.map((row) => ({ ...row, bot: row.bot === 1 }));
}

/** Clicks on a link during one day, and their counts. */
interface CountedDay extends LinkDayClicks, DayChange {}

async function addToCounts(database: Database, run: Run, clicks: WaitingClick[]): Promise<Counted> {
  if (clicks.length === 0) return { clicks: 0, dropped: 0 };
  const groups = groupByLinkAndDay(clicks);
  const owners = await addToTotals(database, run, groups);
  const known = groups
    .filter(({ link }) => owners.has(link))
    .map((group) => ({ ...group, counts: addClicks(emptyDay(), group.clicks) }));
  await addVisitors(database, run, known);
  await addToDays(database, run, known);
  await addToAccounts(database, run, known, owners);
  return { clicks: clicks.length, dropped: clicks.filter(({ link }) => !owners.has(link)).length };
}

/**
 * Adds the clicks to the totals of their links. Returns the account of each link, or null if the link is deleted. Links
 * of deleted accounts are omitted, because they have no total.
 */
async function addToTotals(
  { jsonRows }: Database,
  run: Run,
  groups: LinkDayClicks[],
): Promise<Map<number, number | null>> {
  const sums = new Map<number, number>();
  for (const { link, clicks } of groups)
    sums.set(link, (sums.get(link) ?? 0) + clicks.filter(({ bot }) => !bot).length);
  const rows = await run<{ link: number; account: number | null }>(
    sql`UPDATE click_totals SET clicks = click_totals.clicks + more.clicks
      FROM (SELECT CAST(value ->> 0 AS BIGINT) AS link, CAST(value ->> 1 AS BIGINT) AS clicks
        FROM ${jsonRows([...sums])}) AS more
      WHERE link_id = more.link RETURNING link_id AS link, account_id AS account`,
  );
  return new Map(rows.map(({ link, account }) => [link, account]));
}

/**
 * Stores the visitors of days that are not over yet. Visitors that were not stored before are counted in the hour of
 * their first click.
 */
async function addVisitors({ jsonRows }: Database, run: Run, groups: CountedDay[]): Promise<void> {
  const seen = new Map(
    groups.map(({ link, day, clicks, counts }) => [`${link} ${day}`, { counts, hours: visitorsOf(clicks) }]),
  );
  const visitors = groups.flatMap(({ link, day }) =>
    [...(seen.get(`${link} ${day}`)?.hours.keys() ?? [])].map((hash) => [day, link, hash]),
  );
  const added = await run<{ day: number; link: number; hash: number }>(sql`INSERT INTO visitors (day, link_id, hash)
    SELECT day, link_id, hash FROM (SELECT CAST(value ->> 0 AS BIGINT) AS day, CAST(value ->> 1 AS BIGINT) AS link_id,
      CAST(value ->> 2 AS BIGINT) AS hash FROM ${jsonRows(visitors)}) AS seen
    WHERE day IN (SELECT day FROM visitor_days)
    ON CONFLICT (day, link_id, hash) DO NOTHING RETURNING day, link_id AS link, hash`);
  for (const { day, link, hash } of added) {
    const { counts, hours } = seen.get(`${link} ${day}`) as { counts: DayCounts; hours: Map<number, number> };
    hourIn(counts, hours.get(hash) as number).visitors += 1;
  }
}

/** Counts to add to the counts of one link and day. */
export interface DayChange {
  link: number;
  day: number;
  counts: DayCounts;
}

/** Adds to the stored counts of several links and days. */
export async function addToDays(
  { jsonRows }: Pick<Database, 'jsonRows'>,
  run: Run,
  changes: readonly DayChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const keys = changes.map(({ link, day }) => [link, day]);
  const rows = await run<{ link: number; day: number; counts: string }>(
    sql`SELECT link_id AS link, day, counts FROM ${jsonRows(keys)} CROSS JOIN click_days
      WHERE link_id = CAST(value ->> 0 AS BIGINT) AND day = CAST(value ->> 1 AS BIGINT)`,
  );
  const stored = new Map(rows.map(({ link, day, counts }) => [`${link} ${day}`, counts]));
  const days = changes.map(({ link, day, counts }) => {
    const before = stored.get(`${link} ${day}`);
    return [link, day, writeDay(before === undefined ? counts : addDay(readDay(before), counts))];
  });
  await run(sql`INSERT INTO click_days (link_id, day, counts)
    SELECT CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS BIGINT), value ->> 2 FROM ${jsonRows(days)} WHERE 1 = 1
    ON CONFLICT (link_id, day) DO UPDATE SET counts = excluded.counts`);
}

/** Adds the clicks to the hourly counts of the accounts. Clicks on deleted links belong to no account. */
async function addToAccounts(
  { jsonRows }: Database,
  run: Run,
  groups: LinkDayClicks[],
  owners: Map<number, number | null>,
): Promise<void> {
  const sums = new Map<string, [account: number, hour: number, clicks: number]>();
  for (const { link, day, clicks } of groups) {
    const account = owners.get(link) ?? null;
    if (account === null) continue;
    for (const { at, bot } of clicks) {
      if (bot) continue;
      const hour = hourNumber(day, hourOf(at));
      const sum = sums.get(`${account} ${hour}`);
      if (sum) sum[2] += 1;
      else sums.set(`${account} ${hour}`, [account, hour, 1]);
    }
  }
  await run(sql`INSERT INTO account_hours (account_id, hour, clicks)
    SELECT CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS BIGINT), CAST(value ->> 2 AS BIGINT)
    FROM ${jsonRows([...sums.values()])} WHERE 1 = 1
    ON CONFLICT (account_id, hour) DO UPDATE SET clicks = account_hours.clicks + excluded.clicks`);
}

/** Maximum number of rows that one transaction changes. Redirects must wait for the transaction, so it is short. */
const FORGOTTEN_AT_ONCE = 1000;

/** Number of days after which the batch number of an ended process is deleted. */
const BATCHES_KEPT_DAYS = 7;

/** Deletes the visitors of past days while no clicks are counted, because counting stores visitors. */
async function forgetVisitors(database: Database, today: number): Promise<void> {
  const { write } = database;
  await write(sql`DELETE FROM visitor_days WHERE day < ${today}`);
  await write(sql`DELETE FROM click_batches WHERE written_at < ${startOf(today - BATCHES_KEPT_DAYS)}`);
  const visitors = { table: sql`visitors`, key: sql`day, link_id, hash`, condition: sql`day < ${today}` };
  while (await countingTransaction(database, (run) => deleteSome(run, visitors, FORGOTTEN_AT_ONCE)));
  /** Returns the last of the next ids, or undefined after the last click. */
  const forgetNext = (after: number) =>
    countingTransaction(database, async (run) => {
      const ids = await run<{ id: number }>(
        sql`SELECT id FROM waiting_clicks WHERE id > ${after} ORDER BY id LIMIT ${FORGOTTEN_AT_ONCE}`,
      );
      const last = ids.at(-1)?.id;
      if (last === undefined) return undefined;
      await run(sql`UPDATE waiting_clicks SET visitor = NULL
        WHERE id > ${after} AND id <= ${last} AND at < ${startOf(today)} AND visitor IS NOT NULL`);
      return last;
    });
  for (let last: number | undefined = 0; last !== undefined; ) last = await forgetNext(last);
}
