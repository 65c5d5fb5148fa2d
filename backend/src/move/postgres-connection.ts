import type { PoolClient } from 'pg';
import { createPool } from '../store/postgres/database.ts';
import { reasonOf } from '../store/postgres/faults.ts';
import type { Run } from '../store/postgres/steps.ts';
import { StoreError } from '../store/store.ts';

/** Neither a server's settings for requests nor anything else may end what takes this long. */
const UNBOUNDED = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
  SET default_transaction_isolation = 'read committed'`;

/** One connection, and nothing else: a cursor and a transaction are a connection's own. */
export async function connect(url: string): Promise<{ run: Run; close(): Promise<void> }> {
  const pool = createPool(url, { max: 1, application_name: 'terse move' });
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    await pool.end();
    throw new StoreError(`The PostgreSQL database cannot be opened: ${reasonOf(error)}.`, { cause: error });
  }
  client.on('error', () => {});
  await client.query(UNBOUNDED);
  return {
    run: async (text, ...values) => (await client.query(text, values)).rows,
    async close() {
      client.release(true);
      await pool.end();
    },
  };
}

export type Transaction = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function transactionsOn(run: Run): Transaction {
  return async (work) => {
    await run('BEGIN');
    try {
      const result = await work();
      await run('COMMIT');
      return result;
    } catch (error) {
      await run('ROLLBACK').catch(() => {});
      throw error;
    }
  };
}

/** Whether there is a table of this name. */
export async function isThere(run: Run, table: string): Promise<boolean> {
  return (await run<{ at: string | null }>('SELECT to_regclass($1)::text AS at', table))[0]?.at != null;
}
