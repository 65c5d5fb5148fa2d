import type { Pool, PoolClient } from 'pg';
import { StoreError } from '../store-errors.ts';

/** PostgreSQL error codes for a prepared statement whose name is unknown or already in use on the connection. */
const LOST_STATEMENT = new Set(['26000', '42P05']);

/** Maximum number of additional connections that the check opens. */
const MAX_OTHERS = 3;

const PID = 'SELECT pg_backend_pid() AS pid';
const PROBE = { name: 'terse_probe', text: PID };

/**
 * Checks that a connection pooler supports prepared statements. PgBouncer supports prepared statements since version
 * 1.21.
 *
 * @param pool must allow at least four connections and have a query timeout
 * @throws StoreError if the pooler loses prepared statements
 */
export async function checkPooler(pool: Pool): Promise<void> {
  const first = await pool.connect();
  const others: PoolClient[] = [];
  try {
    if (await isDirect(first)) return;
    const used = await pidOf(first, PROBE);
    while (others.length < MAX_OTHERS) {
      const other = await pool.connect();
      others.push(other);
      await other.query('BEGIN');
      // If the ids are equal, the transaction of `other` occupies the server process that `first` used before. The
      // pooler must then run `first` in another server process.
      if ((await pidOf(other, PID)) === used) {
        await pidOf(first, PROBE);
        return;
      }
    }
  } catch (error) {
    if (LOST_STATEMENT.has((error as { code?: string }).code ?? '')) throw losesStatements(error);
    // With only one connection to the server, a pooler cannot lose statements. The check then ends with a timeout,
    // which is ignored.
    if (!isTimeout(error)) throw error;
  } finally {
    // Closes the connections instead of reusing them, because they may have an open transaction.
    for (const client of [first, ...others]) client.release(true);
  }
}

/** True if there is no pooler. The process id that a pooler reports differs from the process id of the server. */
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
    'The pooler between this service and PostgreSQL loses prepared statements. PgBouncer 1.21 or later keeps them in transaction mode if max_prepared_statements is above 0. Otherwise use session mode, or connect without the pooler.',
    { cause },
  );
}
