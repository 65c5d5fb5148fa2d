import type { Pool, PoolClient } from 'pg';
import type { AppliedStep } from '../migrations/all-migrations.ts';
import { UNFINISHED_MOVE, unfinishedMove } from '../migrations/refuse-moved-database.ts';
import type { Ask } from './connection-pool.ts';

export type Run = <Row>(text: string, ...values: unknown[]) => Promise<Row[]>;

export const unprepared =
  (ask: Ask): Run =>
  (text, ...values) =>
    ask({ name: '', text }, ...values);

/** Prevents other processes from applying migrations or starting to serve requests until the transaction ends. */
export async function lockSteps(run: Run): Promise<void> {
  await run('SELECT id FROM migrations WHERE id = 0 FOR UPDATE');
}

/** Returns the migrations that were applied to the database. The table `migrations` must exist. */
export function readSteps(run: Run): Promise<AppliedStep[]> {
  return run('SELECT * FROM migrations WHERE id > 0');
}

/**
 * Checks that no data is still being moved to the database.
 *
 * @throws StoreError if a move is unfinished
 */
export async function refuseUnfinishedMove(run: Run): Promise<void> {
  const [found] = await run<{ at: string | null }>('SELECT to_regclass($1)::text AS at', UNFINISHED_MOVE);
  if (found?.at) throw unfinishedMove();
}

/**
 * Begins a transaction that does not block the creation of indexes. A stricter isolation level would keep a snapshot
 * open.
 */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';

/**
 * Locks a row, so that only one process at a time creates indexes. Without NOWAIT, a process that waits for the lock
 * would cause a deadlock with the creation of an index.
 */
const LOCK = 'SELECT id FROM migrations WHERE id = -1 FOR UPDATE NOWAIT';
const NOT_AVAILABLE = '55P03';

/**
 * Runs `work` while holding the lock for preparing migrations, and returns true. If another process holds the lock,
 * returns false without running `work`. Closing the connection releases the lock.
 */
export async function whilePreparing(pool: Pool, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query(BEGIN);
    // This transaction stays idle while `work` runs, which can take hours.
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    if (!(await tryLock(client))) return false;
    await work();
    return true;
  } finally {
    client.release(true);
  }
}

async function tryLock(client: PoolClient): Promise<boolean> {
  try {
    await client.query(LOCK);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === NOT_AVAILABLE) return false;
    throw error;
  }
}
