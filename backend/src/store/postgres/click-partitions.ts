import { dayOf } from '../../domain/analytics/calendar.ts';
import { firstDayOf, monthOf } from '../../domain/analytics/daily-counts.ts';
import type { ClickPartitions } from '../interface/click-store.ts';
import type { Database } from './connection-pool.ts';
import { lockSteps, type Run, unprepared } from './migration-locks.ts';

/** Number of months for which tables are created in advance. */
const AHEAD = 2;

const MAX_MISSED = 12;

/**
 * Maximum wait for a table lock, in milliseconds. While this process waits, other queries on the table must wait too.
 * After a timeout, the next attempt is an hour later.
 */
const LOCK_TIMEOUT = 1000;

/**
 * Name of the table for all days before the first monthly table. This is the original table of daily counts, renamed.
 */
const BEFORE = 'click_days_before';
const CONSTRAINT = 'click_days_until';

/**
 * Table for clicks in months that have no separate table. Such clicks occur if the service was stopped for months, or
 * if the server's clock was far ahead.
 */
const OTHER = 'click_days_other';

/** Temporary table for counts that are dated after the last day that `click_days_before` accepts. */
const BEYOND = 'click_days_beyond';

/**
 * Returns the statements that turn the existing table of daily counts into the first partition. PostgreSQL checks the
 * existing rows before it locks the table, so other processes can still write during the check. Attaching the
 * partition is fast afterwards.
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
        const run = unprepared(ask);
        await lockSteps(run);
        await run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
        const tables = await tablesOf(run);
        const months = tables.map(({ until }) => monthOf(until));
        for (const month of monthsWithout(months, monthOf(dayOf(now)))) await makeTable(run, month);
      }),
    async dropEmpty(before) {
      const tables = await database.transaction((ask) => tablesOf(unprepared(ask)));
      const old = tables.filter(({ until }) => until <= firstDayOf(before));
      for (const { name } of old) {
        // First checks the table without a lock. Locking a table that is still in use would delay the counting of
        // clicks.
        if (await database.transaction((ask) => mayBeEmpty(unprepared(ask), name))) await dropIfEmpty(database, name);
      }
    },
  };
}

/**
 * Returns the months that still need a table, up to `AHEAD` months after the current month. Tables for later months
 * are ignored, because a wrong clock may have created them.
 *
 * @param ends for each existing table, the month at which its range ends
 */
function monthsWithout(ends: number[], present: number): number[] {
  const last = present + AHEAD;
  const next = Math.max(present - MAX_MISSED, ...ends.filter((end) => end <= last + 1));
  return Array.from({ length: Math.max(0, last + 1 - next) }, (_, index) => next + index);
}

/**
 * Creates the table for a month and attaches it as a partition. Clicks cannot be counted while the table is being
 * attached.
 */
async function makeTable(run: Run, month: number): Promise<void> {
  const [first, end] = [firstDayOf(month), firstDayOf(month + 1)];
  const name = `click_days_${new Date(Date.UTC(1970, month)).toISOString().slice(0, 7).replace('-', '_')}`;
  await run(`CREATE TABLE ${name} (LIKE click_days INCLUDING ALL)`);
  // PostgreSQL refuses to attach the table while `click_days_other` contains rows of the same month. The parent table
  // is locked first, so that all queries wait until these rows are moved.
  await run('LOCK TABLE ONLY click_days IN ACCESS EXCLUSIVE MODE');
  await run(`LOCK TABLE ${OTHER} IN ACCESS EXCLUSIVE MODE`);
  await run(moveDays(OTHER, name, `day >= ${first} AND day < ${end}`));
  await run(`ALTER TABLE click_days ATTACH PARTITION ${name} FOR VALUES FROM (${first}) TO (${end})`);
}

function dropIfEmpty(database: Database, name: string): Promise<void> {
  return database.transaction(async (ask) => {
    const run = unprepared(ask);
    await lockSteps(run);
    await run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
    // Locks the parent table before the check, so that no clicks are added between the check and DROP TABLE. All
    // transactions lock tables in the same order.
    await run('LOCK TABLE click_days IN ACCESS EXCLUSIVE MODE');
    const isThere = (await tablesOf(run)).some((table) => table.name === name);
    if (isThere && (await isEmpty(run, name))) await run(`DROP TABLE ${name}`);
  });
}

/** True if the table exists and has no rows. Another process may already have dropped the table. */
async function mayBeEmpty(run: Run, table: string): Promise<boolean> {
  const [known] = await run<{ table: string | null }>('SELECT to_regclass($1)::text AS table', table);
  return known?.table !== null && isEmpty(run, table);
}

const isEmpty = async (run: Run, table: string) => (await run(`SELECT 1 FROM ${table} LIMIT 1`)).length === 0;

/** Returns all partitions except the default partition, with the first day after each partition. */
function tablesOf(run: Run): Promise<{ name: string; until: number }[]> {
  return run(
    `SELECT relname AS name, substring(pg_get_expr(relpartbound, pg_class.oid) FROM $1)::bigint AS until
     FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'click_days'::regclass AND pg_get_expr(relpartbound, pg_class.oid) <> 'DEFAULT'`,
    "TO \\('(\\d+)'\\)",
  );
}
