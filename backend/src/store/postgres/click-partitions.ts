import { dayOf } from '../../domain/analytics/calendar.ts';
import { firstDayOf, monthOf } from '../../domain/analytics/daily-counts.ts';
import type { ClickPartitions } from '../interface/click-store.ts';
import type { Database } from './connection-pool.ts';
import { lockSteps, plain, type Run } from './migration-locks.ts';

/** Months after the present one that have their table already. */
const AHEAD = 2;

/** Months that nobody made a table for in time have theirs made late, as far back as this. */
const MOST_MISSED = 12;

/** How long to wait for whoever uses a table, in milliseconds: everybody else waits behind. Tried again an hour later. */
const LOCK_TIMEOUT = 1000;

/** What there was before, up to a day to come, since all of it is checked while it is written. */
const BEFORE = 'click_days_before';
const CONSTRAINT = 'click_days_until';

/** For clicks that a wrong clock dates far ahead, or that come while their month has no table, or no more. */
const OTHER = 'click_days_other';

/** Where clicks wait that were dated beyond that day before there were tables of months. */
const BEYOND = 'click_days_beyond';

/**
 * Makes the table of all counts the first of many. That all its rows are of days before a bound is made sure of beforehand,
 * while others write; then it takes its new position without being read.
 */
export function partitionClickDays(now: number): { prepare: string[]; statements: string[] } {
  const until = firstDayOf(monthOf(dayOf(now)) + 1 + AHEAD);
  return {
    prepare: [
      `ALTER TABLE click_days DROP CONSTRAINT IF EXISTS ${CONSTRAINT},
         ADD CONSTRAINT ${CONSTRAINT} CHECK (day < ${until}) NOT VALID`,
      `CREATE TABLE IF NOT EXISTS ${BEYOND} (link_id BIGINT NOT NULL, day BIGINT NOT NULL, counts TEXT NOT NULL)`,
      moveDays('click_days', BEYOND, `day >= ${until}`),
      `ALTER TABLE click_days VALIDATE CONSTRAINT ${CONSTRAINT}`,
    ],
    statements: [
      `ALTER TABLE click_days RENAME TO ${BEFORE}`,
      `ALTER INDEX click_days_pkey RENAME TO ${BEFORE}_pkey`,
      `CREATE TABLE click_days (
        link_id BIGINT NOT NULL,
        day BIGINT NOT NULL,
        counts TEXT NOT NULL,
        PRIMARY KEY (link_id, day)
      ) PARTITION BY RANGE (day)`,
      `ALTER TABLE click_days ATTACH PARTITION ${BEFORE} FOR VALUES FROM (MINVALUE) TO (${until})`,
      `ALTER TABLE ${BEFORE} DROP CONSTRAINT ${CONSTRAINT}`,
      `CREATE TABLE ${OTHER} PARTITION OF click_days DEFAULT`,
      `INSERT INTO click_days SELECT link_id, day, counts FROM ${BEYOND} ON CONFLICT DO NOTHING`,
      `DROP TABLE ${BEYOND}`,
    ],
  };
}

function moveDays(from: string, to: string, those: string): string {
  return `WITH moved AS (DELETE FROM ${from} WHERE ${those} RETURNING link_id, day, counts)
    INSERT INTO ${to} (link_id, day, counts) SELECT link_id, day, counts FROM moved`;
}

export function clickPartitions(database: Database): ClickPartitions {
  return {
    keepAhead: (now) =>
      database.transaction(async (ask) => {
        const run = plain(ask);
        await lockSteps(run);
        await run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
        const tables = await tablesOf(run);
        const months = tables.map(({ until }) => monthOf(until));
        for (const month of monthsWithout(months, monthOf(dayOf(now)))) await makeTable(run, month);
      }),
    async dropEmpty(before) {
      const tables = await database.transaction((ask) => tablesOf(plain(ask)));
      const old = tables.filter(({ until }) => until <= firstDayOf(before));
      for (const { name } of old) {
        // First without a lock, since those who count would wait for a look at a table that was full a moment ago.
        if (await database.transaction((ask) => mayBeEmpty(plain(ask), name))) await dropIfEmpty(database, name);
      }
    },
  };
}

/**
 * The months up to `AHEAD` after the present one that have no table.
 *
 * @param ends the months before which the tables that there are end. A clock that was far ahead may have made some far ahead
 */
function monthsWithout(ends: number[], present: number): number[] {
  const last = present + AHEAD;
  const next = Math.max(present - MOST_MISSED, ...ends.filter((end) => end <= last + 1));
  return Array.from({ length: Math.max(0, last + 1 - next) }, (_, index) => next + index);
}

/** A month's table, made apart and then attached, so that nobody who counts waits for more than a moment. */
async function makeTable(run: Run, month: number): Promise<void> {
  const [first, end] = [firstDayOf(month), firstDayOf(month + 1)];
  const name = `click_days_${new Date(Date.UTC(1970, month)).toISOString().slice(0, 7).replace('-', '_')}`;
  await run(`CREATE TABLE ${name} (LIKE click_days INCLUDING ALL)`);
  // What is dated into the month already would keep its table from being attached. Who reads or counts waits at the first
  // lock: behind the second, with the tables it knew of before, it would miss what has moved.
  await run('LOCK TABLE ONLY click_days IN ACCESS EXCLUSIVE MODE');
  await run(`LOCK TABLE ${OTHER} IN ACCESS EXCLUSIVE MODE`);
  await run(moveDays(OTHER, name, `day >= ${first} AND day < ${end}`));
  await run(`ALTER TABLE click_days ATTACH PARTITION ${name} FOR VALUES FROM (${first}) TO (${end})`);
}

function dropIfEmpty(database: Database, name: string): Promise<void> {
  return database.transaction(async (ask) => {
    const run = plain(ask);
    await lockSteps(run);
    await run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
    // In the order in which everybody locks them, and before it is looked at, so that nothing is counted into it meanwhile.
    await run('LOCK TABLE click_days IN ACCESS EXCLUSIVE MODE');
    const isThere = (await tablesOf(run)).some((table) => table.name === name);
    if (isThere && (await isEmpty(run, name))) await run(`DROP TABLE ${name}`);
  });
}

/** Without a lock another process may drop the table first. */
async function mayBeEmpty(run: Run, table: string): Promise<boolean> {
  const [known] = await run<{ table: string | null }>('SELECT to_regclass($1)::text AS table', table);
  return known?.table !== null && isEmpty(run, table);
}

const isEmpty = async (run: Run, table: string) => (await run(`SELECT 1 FROM ${table} LIMIT 1`)).length === 0;

/** The tables of months and what there was before, each with the day that it ends before. */
function tablesOf(run: Run): Promise<{ name: string; until: number }[]> {
  return run(
    `SELECT relname AS name, substring(pg_get_expr(relpartbound, pg_class.oid) FROM $1)::bigint AS until
     FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'click_days'::regclass AND pg_get_expr(relpartbound, pg_class.oid) <> 'DEFAULT'`,
    "TO \\('(\\d+)'\\)",
  );
}
