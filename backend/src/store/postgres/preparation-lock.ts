import type { Pool, PoolClient } from 'pg';

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
