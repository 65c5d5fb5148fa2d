import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import sql, { raw } from 'sql-template-tag';
import {
  createIndex,
  type Index,
  MARKS,
  MIGRATIONS,
  MIGRATIONS_TABLE,
  type Migration,
  missingMigrations,
  newestOf,
  toPostgres,
} from '../migrations/all-migrations.ts';
import type { Run } from '../sql/database.ts';
import { refuseCapitalLetters } from '../sql/link-queries.ts';
import { StoreError, StoreUnavailable } from '../store-errors.ts';
import { createPool, inTransaction, lockOf, onConnection, reasonOf, retryConflicts } from './connection-pool.ts';
import { describeProcess, HEARTBEAT_TIMEOUT, liveProcesses, lockSteps, readSteps } from './serving-processes.ts';

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

/** Converts errors to messages for the operator. They omit the database URL, which may contain a password. */
async function onUsablePool<Result>(url: string, work: (pool: Pool) => Promise<Result>): Promise<Result> {
  try {
    return await withPool(url, work);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const cause = (error instanceof StoreUnavailable ? error.cause : error) as Error;
    throw new StoreError(`The PostgreSQL database cannot be opened: ${reasonOf(cause)}.`, { cause });
  }
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
