import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import sql, { raw } from 'sql-template-tag';
import {
  createIndex,
  type Index,
  MIGRATIONS,
  type Migration,
  missingMigrations,
  newestOf,
  toPostgres,
} from '../migrations/all-migrations.ts';
import { FOLDED_CODES, refuseCollisions } from '../sql/case-folding.ts';
import type { Run } from '../sql/sql-runner.ts';
import { StoreError } from '../store-errors.ts';
import { createPool, inTransaction, onConnection, retryConflicts } from './connection-pool.ts';
import {
  describeProcess,
  HEARTBEAT_TIMEOUT,
  liveProcesses,
  lockOf,
  lockSteps,
  readSteps,
  refuseUnfinishedMove,
} from './serving-processes.ts';

/**
 * Maximum wait for a table lock, in milliseconds. While this process waits, other queries on the table must wait too.
 * After a timeout, this process requests the lock again.
 */
const LOCK_TIMEOUT = 2000;

/** Interval at which a process checks if another process has finished creating indexes, in milliseconds. */
const CHECK_INTERVAL = 250;

/**
 * Applies missing migrations. Each migration is applied completely or not at all, even if several processes call this
 * function at the same time. Migrations use separate connections, because building an index takes longer than the
 * request timeout allows.
 *
 * @throws StoreError if a migration is refused, for example because moving data to this database is unfinished
 */
export function migrate(url: string, now: number, migrations = MIGRATIONS): Promise<void> {
  return withPool(url, async (pool) => {
    await inTransaction(pool, refuseUnfinishedMove);
    await applyMissing(pool, now, migrations);
  });
}

/** Applies missing migrations. Unlike `migrate`, also accepts a database to which data is still being moved. */
export function applySteps(url: string, now: number, migrations = MIGRATIONS): Promise<void> {
  return withPool(url, (pool) => applyMissing(pool, now, migrations));
}

/**
 * Creates the index for lookups that ignore the case of short codes.
 *
 * @throws SettingError if short codes of one domain differ only in case
 */
export function prepareCaseFolding(url: string, now: number): Promise<void> {
  return withPool(url, async (pool) => {
    await onConnection(pool, (run) => refuseCollisions(run, now));
    await makeIndexes(pool, [FOLDED_CODES]);
  });
}

async function withPool(url: string, work: (pool: Pool) => Promise<void>): Promise<void> {
  const pool = createPool(url, { max: 2 });
  try {
    await work(pool);
  } finally {
    await pool.end();
  }
}

async function applyMissing(pool: Pool, now: number, migrations: readonly Migration[]): Promise<void> {
  const missing = await inTransaction(pool, async (run) => {
    await lockSteps(run);
    await run(sql`CREATE TABLE IF NOT EXISTS migrations
      (id BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL, oldest BIGINT)`);
    return missingMigrations(await readSteps(run), migrations);
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
  const steps = await readSteps(run);
  if (newestOf(steps) >= id) return;
  if (steps.length > 0) await refuseIfServed(run, id, oldest);
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
 * Creates missing indexes without blocking writers. One process at a time does so, which can take hours. The transaction
 * that holds the lock stays idle meanwhile. A process that waits must not do so in a statement, because the creation of
 * an index waits for all running statements.
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
