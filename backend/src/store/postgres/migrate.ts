import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import sql, { raw } from 'sql-template-tag';
import {
  type AppliedStep,
  createIndex,
  type Index,
  MARKS,
  MIGRATIONS,
  MIGRATIONS_TABLE,
  type Migration,
  missingMigrations,
  newestOf,
  newestStep,
  toPostgres,
} from '../migrations/all-migrations.ts';
import type { Database, Run } from '../sql/database.ts';
import { refuseCapitalLetters } from '../sql/link-queries.ts';
import { StoreError } from '../store-errors.ts';
import { cannotOpen, createPool, inTransaction, lockOf, onConnection, retryConflicts } from './connection-pool.ts';

/**
 * Maximum wait for a table lock, in milliseconds. While this process waits, other queries on the table must wait too.
 * After a timeout, this process requests the lock again.
 */
const LOCK_TIMEOUT = 2000;

/** Interval at which a process checks if another process has finished creating indexes, in milliseconds. */
const CHECK_INTERVAL = 250;

/** Runs `work` with connections that have no timeouts, because building an index can take hours. */
export async function withPool<Result>(url: string, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  const pool = createPool(url, { max: 2 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/**
 * Applies missing migrations before a store is opened.
 *
 * @throws StoreError that says why the database cannot be used
 */
export function preparePostgres(url: string, now: number, foldsCase: boolean): Promise<void> {
  return onUsablePool(url, async (pool) => {
    await migrate(pool, now);
    if (foldsCase) await onConnection(pool, refuseCapitalLetters);
  });
}

/**
 * True if the database contains Terse's tables.
 *
 * @throws StoreError if the database cannot be opened
 */
export async function hasPostgresTables(url: string): Promise<boolean> {
  const query = sql`SELECT to_regclass('migrations') IS NOT NULL AS found`;
  const [row] = await onUsablePool(url, (pool) => onConnection(pool, (run) => run<{ found: boolean }>(query)));
  return row?.found === true;
}

function onUsablePool<Result>(url: string, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  return withPool(url, work).catch((error) => {
    throw cannotOpen(error);
  });
}

/**
 * Applies missing migrations. Each migration is applied completely or not at all, even if several processes call this
 * function at the same time.
 *
 * @param isMoving true for the command `move`, which also accepts a database to which data is being moved
 * @throws StoreError if a migration is refused, or if the database was moved or is being moved
 */
export async function migrate(pool: Pool, now: number, migrations = MIGRATIONS, isMoving = false): Promise<void> {
  const missing = await inTransaction(pool, async (run) => {
    await lockSteps(run);
    await run(raw(toPostgres(MIGRATIONS_TABLE)));
    const found = missingMigrations(await readSteps(run), migrations, isMoving);
    if (!isMoving) await run(sql`UPDATE migrations SET applied_at = ${now} WHERE id = ${MARKS.movedHere}`);
    return found;
  });
  for (const step of missing) {
    if (step.indexes) await makeIndexes(pool, step.indexes);
    await retryConflicts(() => inTransaction(pool, (run) => apply(run, step, now)));
  }
}

/**
 * Applies a migration in a transaction, unless another process has applied it in the meantime.
 *
 * @throws StoreError if a running server process would not work with the new schema
 */
async function apply(run: Run, { id, name, oldest, statements }: Migration, now: number): Promise<void> {
  await lockSteps(run);
  const newest = newestOf(await readSteps(run));
  if (newest >= id) return;
  if (newest > 0) await refuseIfServed(run, id, oldest);
  await run(sql`SET LOCAL lock_timeout = ${raw(String(LOCK_TIMEOUT))}`);
  await run(raw(toPostgres(statements)));
  await run(
    sql`INSERT INTO migrations (id, name, applied_at, oldest) VALUES (${id}, ${name}, ${now}, ${oldest ?? null})`,
  );
}

async function refuseIfServed(run: Run, id: number, oldest = id): Promise<void> {
  const [older] = await liveProcesses(run, oldest);
  if (!older) return;
  throw new StoreError(
    `The database cannot be upgraded to version ${id} while it is served by ${describeProcess(older)}, which supports version ${older.newestStep}. Stop that process first, or upgrade it to an intermediate version of Terse. If it was killed, try again in ${HEARTBEAT_TIMEOUT / 1000} seconds.`,
  );
}

/**
 * Creates missing indexes without blocking writers. One process at a time does so. The transaction that holds the lock
 * stays idle meanwhile. A process that waits must not do so in a statement, because the creation of an index waits for
 * all running statements.
 */
async function makeIndexes(pool: Pool, indexes: readonly Index[]): Promise<void> {
  for (;;) {
    const isDone = await inTransaction(pool, async (run) => {
      await run(sql`SET LOCAL idle_in_transaction_session_timeout = 0`);
      const lock = sql`SELECT pg_try_advisory_xact_lock(${lockOf('indexes')}) AS held`;
      if (!(await run<{ held: boolean }>(lock))[0]?.held) return false;
      for (const index of indexes) await makeIndex(pool, index);
      return true;
    });
    if (isDone) return;
    await sleep(CHECK_INTERVAL);
  }
}

/** Creates an index. If an earlier attempt was interrupted, its unfinished index is dropped first. */
async function makeIndex(pool: Pool, index: Index): Promise<void> {
  const find = sql`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(${index.name})`;
  await retryConflicts(() =>
    onConnection(pool, async (run) => {
      const [found] = await run<{ valid: boolean }>(find);
      if (found?.valid) return;
      if (found) await run(raw(`DROP INDEX CONCURRENTLY ${index.name}`));
      await run(raw(createIndex(index, 'CONCURRENTLY')));
    }),
  );
}

interface ServingProcess {
  id: string;
  name: string;
  /** Id of the newest migration that the running version of Terse includes. */
  newestStep: number;
  sinceHeartbeat: number;
}

export const HEARTBEAT = 15_000;

/**
 * Time in milliseconds after which a process without heartbeats counts as stopped. The time is longer than a minute,
 * because a process that has lost its database connection still serves links from its cache for up to a minute.
 */
export const HEARTBEAT_TIMEOUT = 90_000;

export function describeProcess({ name, sinceHeartbeat }: ServingProcess): string {
  return `${name}, last heartbeat ${Math.round(sinceHeartbeat / 1000)} seconds ago`;
}

const NOW_MS = sql`floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

const IS_LIVE = sql`(seen_at > ${NOW_MS} - ${HEARTBEAT_TIMEOUT})`;

export type ServingProcesses = ReturnType<typeof servingProcesses>;

/**
 * List of the server processes that share a database. A process that cannot reach the database must stop serving
 * links from its cache within `HEARTBEAT_TIMEOUT`.
 */
export function servingProcesses({ write, transaction }: Database) {
  const enter = ({ id, name }: Pick<ServingProcess, 'id' | 'name'>): Promise<void> =>
    transaction(async (run) => {
      await lockSteps(run);
      missingMigrations(await readSteps(run));
      await run(sql`DELETE FROM serving_processes WHERE NOT ${IS_LIVE}`);
      await run(sql`INSERT INTO serving_processes (id, name, newest_step, seen_at)
        VALUES (${id}, ${name}, ${newestStep()}, ${NOW_MS}) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`);
    });

  return {
    /**
     * Records a heartbeat of a server process. If the process is not on the list, it is added. It must be on the list
     * before it handles requests.
     *
     * @throws StoreError if this version of Terse is too old for the database schema
     */
    async touch(process: Pick<ServingProcess, 'id' | 'name'>): Promise<void> {
      const touched = await write(
        sql`UPDATE serving_processes SET seen_at = ${NOW_MS} WHERE id = ${process.id} AND ${IS_LIVE} RETURNING id`,
      );
      if (touched.length === 0) await enter(process);
    },
    async leave(id: string): Promise<void> {
      await write(sql`DELETE FROM serving_processes WHERE id = ${id}`);
    },
  };
}

/**
 * Returns the running server processes whose version does not include the migration `before`. Returns all running
 * processes if `before` is omitted.
 */
export function liveProcesses(run: Run, before = Number.MAX_SAFE_INTEGER): Promise<ServingProcess[]> {
  return run<ServingProcess>(
    sql`SELECT id, name, newest_step AS "newestStep", greatest(${NOW_MS} - seen_at, 0) AS "sinceHeartbeat"
      FROM serving_processes WHERE newest_step < ${before} AND ${IS_LIVE} ORDER BY seen_at DESC`,
  );
}

/** Prevents other processes from applying migrations or starting to serve requests until the transaction ends. */
async function lockSteps(run: Run): Promise<void> {
  await run(sql`SELECT pg_advisory_xact_lock(${lockOf('migrations')})`);
}

/** Returns the migrations that were applied to the database. The table `migrations` must exist. */
function readSteps(run: Run): Promise<AppliedStep[]> {
  return run(sql`SELECT * FROM migrations`);
}
