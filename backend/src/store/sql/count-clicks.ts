import { eventLoopUtilization } from 'node:perf_hooks';
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
  readBatch,
  readDay,
  type StoredBatch,
  visitorsOf,
  type WaitingClick,
  writeDay,
} from '../../domain/analytics/day-counts.ts';
import type { Database, Run } from './database.ts';

/** Result of counting waiting clicks. */
export interface Counted {
  /** Number of clicks that no longer wait. */
  clicks: number;
  /** Number of clicks among them that were not counted, because their link or account no longer exists. */
  dropped: number;
}

/**
 * Batches of clicks that are being counted. The round is stored in the database, so that each click is counted once,
 * even if the process is killed in the middle of the round.
 */
interface Round {
  id: number;
  /** Ranges of the ids of the batches, in ascending order. The batches of a range are read and deleted at once. */
  ranges: Range[];
}

type Range = [first: number, last: number];

/**
 * Maximum number of clicks in a round. The more clicks are counted together, the more of them are on the same link and
 * on neighboring links, which is several times faster.
 */
const CLICKS_PER_ROUND = 300_000;

/** Maximum number of batches in a round. On SQLite, redirects must wait while the ids of the batches are read. */
const MAX_BATCHES = 40_000;

/** Maximum number of links whose clicks are put in order at once. Redirects must wait meanwhile. */
const LINKS_AT_ONCE = 10_000;

/** Maximum number of sources that later clicks can share. Clients can send any text, so each source may differ. */
const MAX_SOURCES = 10_000;

/** Maximum number of batches that are read or deleted at once. */
const BATCHES_PER_RANGE = 10;

/** Size of a transaction that counts clicks. Redirects must wait for it on SQLite, so it is small. */
const CLICKS_PER_SLICE = 300;

/**
 * Counts the oldest batches of waiting clicks, or finishes the round of another process. If that process is still
 * counting, both count until the round ends. Returns false if no clicks wait.
 *
 * @param sum increases by the clicks that this process counts
 */
export async function countRound(database: Database, sum: Counted, stopping?: AbortSignal): Promise<boolean> {
  const round = await startRound(database);
  if (!round) return false;
  const clicks = await readClicks(database, round, stopping);
  for (;;) {
    const counted = await leaveMostOfTheTime(() => takeStep(database, round, clicks), stopping);
    if (!counted) return true;
    sum.clicks += counted.clicks;
    sum.dropped += counted.dropped;
  }
}

function startRound(database: Database): Promise<Round | null> {
  return countingTransaction(database, async (run) => {
    const [unfinished] = await run<{ id: number; ranges: string }>(sql`SELECT id, ranges FROM counting_rounds`);
    if (unfinished) return { id: unfinished.id, ranges: JSON.parse(unfinished.ranges) };
    const rows = await run<{ id: number; size: number }>(
      sql`SELECT id, size FROM waiting_clicks ORDER BY id LIMIT ${MAX_BATCHES}`,
    );
    if (rows.length === 0) return null;
    const ranges = rangesOf(rows);
    const [added] = await run<{ id: number }>(sql`INSERT INTO counting_rounds (ranges, counted, deleted)
      VALUES (${JSON.stringify(ranges)}, 0, 0) RETURNING id`);
    return { id: added?.id as number, ranges };
  });
}

/** Returns the ids of the first batches, which together have about `CLICKS_PER_ROUND` clicks. */
function rangesOf(batches: readonly { id: number; size: number }[]): Range[] {
  const ranges: Range[] = [];
  let clicks = 0;
  for (const { id, size } of batches) {
    const last = ranges.at(-1);
    if (last && last[1] === id - 1 && id - last[0] < BATCHES_PER_RANGE) last[1] = id;
    else ranges.push([id, id]);
    clicks += size;
    if (clicks >= CLICKS_PER_ROUND) break;
  }
  return ranges;
}

type ClickSource = Omit<WaitingClick, 'link' | 'at' | 'visitor'>;

/**
 * Clicks of a round, without an object for each click: collecting so much garbage would delay redirects. Most
 * clicks with the same browser, referrer and so on share one object.
 */
interface RoundClicks {
  links: number[];
  times: number[];
  visitors: (number | null)[];
  sources: ClickSource[];
  /** Indexes of the clicks in the order in which they are counted. */
  order: number[];
}

/**
 * Reads the clicks of a round in the order in which they are counted: in the order of their links, and those on a link
 * in the order of their batches. Another version of Terse may continue the round, so this order must not change.
 */
async function readClicks({ read }: Database, { ranges }: Round, stopping?: AbortSignal): Promise<RoundClicks> {
  const clicks: RoundClicks = { links: [], times: [], visitors: [], sources: [], order: [] };
  const sources = new Map<string, ClickSource>();
  const indexes = new Map<number, number[]>();
  for (const [first, last] of ranges) {
    await leaveMostOfTheTime(async () => {
      const rows = await read<StoredBatch>(
        sql`SELECT clicks, visitors FROM waiting_clicks WHERE id BETWEEN ${first} AND ${last} ORDER BY id`,
      );
      for (const { link, at, visitor, ...source } of rows.flatMap(readBatch)) {
        const key = Object.values(source).join('\n');
        const known = sources.get(key) ?? source;
        if (known === source) {
          if (sources.size === MAX_SOURCES) sources.clear();
          sources.set(key, source);
        }
        const index = clicks.links.push(link) - 1;
        clicks.times.push(at);
        clicks.visitors.push(visitor);
        clicks.sources.push(known);
        const ofLink = indexes.get(link);
        if (ofLink) ofLink.push(index);
        else indexes.set(link, [index]);
      }
    }, stopping);
  }
  const sorted = Float64Array.from(indexes.keys()).sort();
  for (let at = 0; at < sorted.length; at += LINKS_AT_ONCE) {
    await leaveMostOfTheTime(async () => {
      for (const link of sorted.subarray(at, at + LINKS_AT_ONCE))
        for (const index of indexes.get(link) ?? []) clicks.order.push(index);
    }, stopping);
  }
  return clicks;
}

/** Returns the clicks that the next transaction counts. */
function sliceAt({ links, times, visitors, sources, order }: RoundClicks, start: number): WaitingClick[] {
  return order.slice(start, start + CLICKS_PER_SLICE).map((index) => ({
    link: links[index] as number,
    at: times[index] as number,
    visitor: visitors[index] ?? null,
    ...(sources[index] as ClickSource),
  }));
}

/**
 * Counts the next clicks of a round. When all are counted, deletes the next batches, and with the last of them the round.
 * Returns null if the round has ended. All processes take these steps one after the other. Batches are deleted only after
 * all clicks are counted, so `clicks` is complete until then.
 */
function takeStep(database: Database, { id, ranges }: Round, clicks: RoundClicks): Promise<Counted | null> {
  return countingTransaction(database, async (run) => {
    const [round] = await run<{ counted: number; deleted: number }>(
      sql`SELECT counted, deleted FROM counting_rounds WHERE id = ${id}`,
    );
    if (!round) return null;
    const slice = sliceAt(clicks, round.counted);
    if (slice.length > 0) {
      await run(sql`UPDATE counting_rounds SET counted = ${round.counted + slice.length} WHERE id = ${id}`);
      return addToCounts(database, run, slice);
    }
    const [first, last] = ranges[round.deleted] as Range;
    await run(sql`DELETE FROM waiting_clicks WHERE id BETWEEN ${first} AND ${last}`);
    // SQLite can use the ids of deleted rows again, so the round must not outlive its last rows.
    if (last === ranges.at(-1)?.[1]) await run(sql`DELETE FROM counting_rounds WHERE id = ${id}`);
    else await run(sql`UPDATE counting_rounds SET deleted = ${round.deleted + 1} WHERE id = ${id}`);
    return { clicks: 0, dropped: 0 };
  });
}

/** Runs `work`, then waits three times as long as the event loop was busy, so that redirects have most of the time. */
async function leaveMostOfTheTime<Result>(work: () => Promise<Result>, stopping?: AbortSignal): Promise<Result> {
  stopping?.throwIfAborted();
  const before = eventLoopUtilization();
  const result = await work();
  await sleep(3 * eventLoopUtilization(before).active);
  return result;
}

/**
 * Runs a transaction that changes counts, visitors or waiting clicks. Only one such transaction runs at a time.
 * Otherwise, two of them could wait for each other, or one could miss what the other is just storing.
 */
export function countingTransaction<Result>(
  { clickTransaction, lock }: Database,
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  return clickTransaction(async (run) => {
    await lock(run, 'counting');
    return work(run);
  });
}

/** Clicks on a link during one day, their counts, and the hour of each visitor's first click. */
interface CountedDay extends LinkDayClicks {
  counts: DayCounts;
  visitors: Map<number, number>;
}

const keyOf = ({ link, day }: { link: number; day: number }) => `${link} ${day}`;

async function addToCounts(database: Database, run: Run, clicks: WaitingClick[]): Promise<Counted> {
  const groups = groupByLinkAndDay(clicks);
  const owners = await addToTotals(database, run, groups);
  const known = groups
    .filter(({ link }) => owners.has(link))
    .map((group) => ({ ...group, counts: addClicks(emptyDay(), group.clicks), visitors: visitorsOf(group.clicks) }));
  const days = new Map(known.map((day) => [keyOf(day), day]));
  await addVisitors(database, run, days);
  await addToDays(database, run, days);
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
async function addVisitors({ jsonRows }: Database, run: Run, days: Map<string, CountedDay>): Promise<void> {
  const visitors = [...days.values()].flatMap(({ link, day, visitors }) =>
    [...visitors.keys()].map((hash) => [day, link, hash]),
  );
  const added = await run<{ day: number; link: number; hash: number }>(sql`INSERT INTO visitors (day, link_id, hash)
    SELECT day, link_id, hash FROM (SELECT CAST(value ->> 0 AS BIGINT) AS day, CAST(value ->> 1 AS BIGINT) AS link_id,
      CAST(value ->> 2 AS BIGINT) AS hash FROM ${jsonRows(visitors)}) AS seen
    WHERE day IN (SELECT day FROM visitor_days)
    ON CONFLICT (day, link_id, hash) DO NOTHING RETURNING day, link_id AS link, hash`);
  for (const row of added) {
    const { counts, visitors } = days.get(keyOf(row)) as CountedDay;
    hourIn(counts, visitors.get(row.hash) as number).visitors += 1;
  }
}

/** Adds to the stored counts of several links and days. */
async function addToDays({ jsonRows }: Database, run: Run, days: Map<string, CountedDay>): Promise<void> {
  const changes = [...days.values()];
  const rows = await run<{ link: number; day: number; counts: string }>(
    sql`SELECT link_id AS link, day, counts FROM ${jsonRows(changes.map(({ link, day }) => [link, day]))}
      CROSS JOIN click_days WHERE link_id = CAST(value ->> 0 AS BIGINT) AND day = CAST(value ->> 1 AS BIGINT)`,
  );
  for (const row of rows) {
    const change = days.get(keyOf(row)) as CountedDay;
    change.counts = addDay(readDay(row.counts), change.counts);
  }
  const sums = changes.map(({ link, day, counts }) => [link, day, writeDay(counts)]);
  await run(sql`INSERT INTO click_days (link_id, day, counts)
    SELECT CAST(value ->> 0 AS BIGINT), CAST(value ->> 1 AS BIGINT), value ->> 2 FROM ${jsonRows(sums)} WHERE 1 = 1
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
