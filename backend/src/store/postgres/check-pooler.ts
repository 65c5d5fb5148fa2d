import type { Pool, PoolClient } from 'pg';
import { StoreError } from '../interface/store.ts';

/** Of a statement that is not known on the connection it is used on, or that is known there already (SQLSTATE). */
const LOST_STATEMENT = new Set(['26000', '42P05']);

/** How many connections are tried to find the one to PostgreSQL that another has just used. */
const MOST_OTHERS = 3;

const PID = 'SELECT pg_backend_pid() AS pid';
const PROBE = { name: 'terse_probe', text: PID };

/**
 * Makes sure that prepared statements survive what stands between this process and PostgreSQL. A pooler may hand each
 * transaction another connection to the server; PgBouncer before 1.21 then forgets which statements were prepared.
 *
 * @param pool of at least four connections, with a timeout for each query
 * @throws StoreError where they do not survive
 */
export async function checkPooler(pool: Pool): Promise<void> {
  const first = await pool.connect();
  const others: PoolClient[] = [];
  try {
    if (await isDirect(first)) return;
    const used = await pidOf(first, PROBE);
    while (others.length < MOST_OTHERS) {
      const other = await pool.connect();
      others.push(other);
      await other.query('BEGIN');
      // This one holds now the connection that knows the statement, so the first is given one that may not.
      if ((await pidOf(other, PID)) === used) {
        await pidOf(first, PROBE);
        return;
      }
    }
  } catch (error) {
    if (LOST_STATEMENT.has((error as { code?: string }).code ?? '')) throw losesStatements(error);
    // A pooler with a single connection to the server has no other to hand out, and so loses no statement.
    if (!isTimeout(error)) throw error;
  } finally {
    // Closed, and not kept, since they may still hold a transaction.
    for (const client of [first, ...others]) client.release(true);
  }
}

/** Whether nothing stands in between: a pooler tells its clients a process of its own making. */
async function isDirect(client: PoolClient): Promise<boolean> {
  return (client as unknown as { processID: number }).processID === (await pidOf(client, PID));
}

async function pidOf(client: PoolClient, query: string | typeof PROBE): Promise<number> {
  return (await client.query<{ pid: number }>(query)).rows[0]?.pid as number;
}

function isTimeout(error: unknown): boolean {
  return (error as Error).message === 'Query read timeout';
}

function losesStatements(cause: unknown): StoreError {
  return new StoreError(
    'The pooler between this service and PostgreSQL loses prepared statements. PgBouncer keeps them in transaction mode from version 1.21 on, with max_prepared_statements above 0. Otherwise let it pool sessions, or connect without it.',
    { cause },
  );
}
