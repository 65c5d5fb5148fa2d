import type { Pool } from 'pg';
import { createIndex, type Index } from '../migrations/dialect.ts';
import { attempts } from './attempts.ts';

/**
 * Makes the indexes that are missing without keeping anybody from writing. To be called by one at a time. Those of an empty
 * table are left out: it costs nothing to make them within the step that wants them.
 */
export async function makeIndexes(pool: Pool, indexes: readonly Index[]): Promise<void> {
  for (const index of indexes) if (!(await isMadeOrCheap(pool, index))) await makeIndex(pool, index);
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
