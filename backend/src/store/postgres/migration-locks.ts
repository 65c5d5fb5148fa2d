import type { Pool, PoolClient } from 'pg';
import { type AppliedStep, FIRST_WITH_RANGE, newestOf } from '../migrations/all-migrations.ts';
import { UNFINISHED_MOVE, unfinishedMove } from '../migrations/refuse-moved-database.ts';
import type { Ask } from './connection-pool.ts';

/** Runs a statement that is not worth preparing. */
export type Run = <Row>(text: string, ...values: unknown[]) => Promise<Row[]>;

export const plain =
  (ask: Ask): Run =>
  (text, ...values) =>
    ask({ name: '', text }, ...values);

/** Keeps everybody else from applying a step, and from beginning to serve, to the end of the transaction. */
export async function lockSteps(run: Run): Promise<void> {
  await run('SELECT id FROM migrations WHERE id = 0 FOR UPDATE');
}

/** The steps that a database has seen. */
export async function readSteps(run: Run): Promise<AppliedStep[]> {
  const steps = await run<AppliedStep>('SELECT id, NULL AS oldest FROM migrations WHERE id > 0');
  if (newestOf(steps) < FIRST_WITH_RANGE) return steps;
  return run('SELECT id, oldest FROM migrations LEFT JOIN migration_ranges USING (id) WHERE id > 0');
}

/** @throws StoreError where a move to the database is not finished */
export async function refuseUnfinishedMove(run: Run): Promise<void> {
  const [found] = await run<{ at: string | null }>('SELECT to_regclass($1)::text AS at', UNFINISHED_MOVE);
  if (found?.at) throw unfinishedMove();
}

/** As text, since the isolation that is set for a database must not give this transaction a snapshot. */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';

/**
 * Holds the lock to the end of the transaction. NOWAIT, since an index that is being made waits for every statement that began
 * before it, and so for one that would wait for this lock.
 */
const LOCK = 'SELECT id FROM migrations WHERE id = -1 FOR UPDATE NOWAIT';
const NOT_AVAILABLE = '55P03';

/**
 * Works while nobody else prepares a step of the schema. False, and nothing done, where somebody else does. The lock goes
 * with its connection, however that ends.
 */
export async function whilePreparing(pool: Pool, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect();
  // One that breaks meanwhile must not end the process.
  client.on('error', () => {});
  try {
    await client.query(BEGIN);
    // However long it takes: the transaction holds nothing that anybody else wants.
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
