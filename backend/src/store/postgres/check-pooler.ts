import { StoreError } from '../store-errors.ts';
import { createPool, DEADLINES, requestTimeouts } from './connection-pool.ts';
import { isTimeout } from './postgres-errors.ts';

/** PostgreSQL error codes for a prepared statement whose name is unknown or already in use on the connection. */
const LOST_STATEMENT = new Set(['26000', '42P05']);

const CLIENTS = 4;
const PROBE = { name: 'terse_probe', text: 'SELECT pg_backend_pid() AS pid' };
const PROBE_TIMEOUT = 3000;

/**
 * Checks that a connection pooler supports prepared statements. PgBouncer supports prepared statements since version
 * 1.21.
 *
 * @throws StoreError if the pooler loses prepared statements
 */
export async function checkPooler(url: string): Promise<void> {
  const pool = createPool(url, { ...requestTimeouts(DEADLINES), query_timeout: PROBE_TIMEOUT, max: CLIENTS });
  const first = await pool.connect();
  const clients = [first];
  try {
    const [used] = (await first.query<{ pid: number }>(PROBE)).rows;
    // Without a pooler, the process that the server reported when the client connected executes the statements.
    if ((first as unknown as { processID: number }).processID === used?.pid) return;
    // The transactions of the other clients occupy the server connection that `first` has used, so the pooler must run
    // `first` on another one.
    for (let other = 1; other < CLIENTS; other += 1) {
      const client = await pool.connect();
      clients.push(client);
      await client.query('BEGIN');
    }
    await first.query(PROBE);
  } catch (error) {
    if (LOST_STATEMENT.has((error as { code?: string }).code ?? '')) throw losesStatements(error);
    // With only one connection to the server, a pooler cannot lose statements. The check then ends with a timeout.
    if (!isTimeout(error)) throw error;
  } finally {
    // Closes the connections instead of reusing them, because they may have an open transaction.
    for (const client of clients) client.release(true);
    await pool.end();
  }
}

function losesStatements(cause: unknown): StoreError {
  return new StoreError(
    'The pooler between this service and PostgreSQL loses prepared statements. PgBouncer 1.21 or later keeps them in transaction mode if max_prepared_statements is above 0. Otherwise use session mode, or connect without the pooler.',
    { cause },
  );
}
