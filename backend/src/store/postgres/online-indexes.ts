import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { createIndex, type Index } from '../migrations/dialect.ts';
import { attempts } from './attempts.ts';

/** How long to wait before asking again whether somebody else has made an index, in milliseconds. */
const ASK_AGAIN = 250;

/** As text, since the isolation that is set for a database must not give this transaction a snapshot. */
const BEGIN = 'BEGIN ISOLATION LEVEL READ COMMITTED';

/**
 * Holds the lock to the end of the transaction. NOWAIT, since an index that is being made waits for every statement that began
 * before it, and so for one that would wait for this lock.
 */
const LOCK = 'SELECT id FROM migrations WHERE id = -1 FOR UPDATE NOWAIT';
const NOT_AVAILABLE = '55P03';

/**
 * Makes the indexes that are missing without keeping anybody from writing. Those of an empty table are left out: it
 * costs nothing to make them within the step that wants them.
 */
export async function makeIndexes(pool: Pool, indexes: readonly Index[]): Promise<void> {
  for (const index of indexes) {
    while (!(await isMadeOrCheap(pool, index))) {
      if (!(await withLock(pool, () => makeIndex(pool, index)))) await sleep(ASK_AGAIN);
    }
  }
}

async function isMadeOrCheap(pool: Pool, { name, on }: Index): Promise<boolean> {
  if ((await stateOf(pool, name)) === 'made') return true;
  const [table = ''] = on.split(' ');
  const { rowCount } = await pool.query(`SELECT 1 FROM ${table} LIMIT 1`);
  return rowCount === 0 && (await stateOf(pool, name)) === 'missing';
}

/** One that was left half made, by a program or a server that died, is made anew. */
async function makeIndex(pool: Pool, index: Index): Promise<void> {
  await attempts(['conflict'], async () => {
    const state = await stateOf(pool, index.name);
    if (state === 'made') return;
    if (state === 'invalid') await pool.query(`DROP INDEX CONCURRENTLY ${index.name}`);
    await pool.query(createIndex(index, 'CONCURRENTLY'));
  });
}

async function stateOf(pool: Pool, name: string): Promise<'missing' | 'invalid' | 'made'> {
  const { rows } = await pool.query<{ valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)',
    [name],
  );
  if (!rows[0]) return 'missing';
  return rows[0].valid ? 'made' : 'invalid';
}

/** False, and nothing done, where somebody else has the lock. It goes with its connection, however that ends. */
async function withLock(pool: Pool, work: () => Promise<void>): Promise<boolean> {
  const client = await pool.connect();
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
