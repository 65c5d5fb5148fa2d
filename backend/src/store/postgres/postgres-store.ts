import sql, { raw } from 'sql-template-tag';
import type { WaitingClick } from '../../domain/analytics/day-counts.ts';
import type { Clock } from '../../domain/clock-and-random.ts';
import { UNFINISHED_MOVE } from '../migrations/all-migrations.ts';
import type { AddClicks } from '../sql/click-queries.ts';
import { PREPARED, type SharedDatabase } from '../sql/sql-runner.ts';
import { createStore, type Store } from '../sql/store.ts';
import { StoreError, StoreUnavailable } from '../store-errors.ts';
import {
  connect,
  createPool,
  type Database,
  DEADLINES,
  type PostgresAddress,
  requestTimeouts,
} from './connection-pool.ts';
import { migrate, prepareCaseFolding } from './migrate.ts';
import { isTimeout, reasonOf } from './postgres-errors.ts';
import { lockOf, servingProcesses } from './serving-processes.ts';

/**
 * SQL expression for the current time according to the database's clock, in milliseconds. `now()` is not suitable,
 * because it returns the start time of the transaction.
 */
const NOW = sql`SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now`;

/** Number of the advisory lock that a transaction holds while it counts clicks or changes click counts. */
const COUNTING = lockOf('counting');

/** @param clock replaces the database's clock in tests */
export function sharedDatabase(database: Database, clock: Clock | null, foldsCase: boolean): SharedDatabase {
  return {
    ...database,
    clickTransaction: database.transaction,
    // Locks rows with FOR NO KEY UPDATE. Unlike FOR UPDATE, this lock lets other transactions insert rows that
    // reference the locked rows.
    rowLock: raw('FOR NO KEY UPDATE'),
    async now(run) {
      if (clock) return clock();
      const [row] = await run<{ now: number }>(NOW, PREPARED);
      return row?.now as number;
    },
    jsonRows: (rows) => sql`json_array_elements(CAST(${JSON.stringify(rows)} AS json))`,
    async lockCounting(run) {
      await run(sql`SELECT pg_advisory_xact_lock(${COUNTING})`);
    },
    async tryLockCounting(run) {
      const [row] = await run<{ locked: boolean }>(sql`SELECT pg_try_advisory_xact_lock(${COUNTING}) AS locked`);
      return row?.locked === true;
    },
    async lockCodes(run, codes) {
      // All transactions lock in the same order, so they cannot block each other.
      await run(sql`SELECT pg_advisory_xact_lock(lock) FROM (
        SELECT DISTINCT hashtextextended(lower(value), 0) AS lock
        FROM json_array_elements_text(CAST(${JSON.stringify(codes)} AS json)) ORDER BY lock) AS sorted`);
    },
    foldsCase,
  };
}

export async function openPostgresStore(
  address: PostgresAddress,
  now: number,
  clock: Clock | null,
  foldsCase: boolean,
): Promise<Store> {
  try {
    await migrate(address.url, now);
    await checkPooler(address.url);
    if (foldsCase) await prepareCaseFolding(address.url, now);
  } catch (error) {
    throw error instanceof StoreError ? error : unusable(error);
  }
  const database = connect(address);
  return {
    ...createStore(sharedDatabase(database, clock, foldsCase), addClicks(database)),
    servingProcesses: servingProcesses(database),
    close: database.close,
  };
}

/**
 * True if the database contains Terse's tables. Also true if a move to the database was started but not finished.
 *
 * @throws StoreError if the database cannot be opened
 */
export async function hasPostgresTables(url: string): Promise<boolean> {
  const pool = createPool(url, { max: 1 });
  const query = 'SELECT coalesce(to_regclass($1), to_regclass($2)) IS NOT NULL AS found';
  try {
    return (await pool.query<{ found: boolean }>(query, ['migrations', UNFINISHED_MOVE])).rows[0]?.found === true;
  } catch (error) {
    throw unusable(error);
  } finally {
    await pool.end();
  }
}

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
async function checkPooler(url: string): Promise<void> {
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

/**
 * Returns a function that stores the number of a batch and its clicks in one statement. If the batch is already stored,
 * the statement stores nothing. If another connection is still storing the batch, the statement waits for it.
 */
function addClicks({ write }: Database): AddClicks {
  return async ({ process, number, clicks }) => {
    const last = clicks.at(-1);
    if (!last) return;
    const column = (field: keyof WaitingClick) => clicks.map((click) => click[field]);
    await write(
      sql`WITH batch AS (
        INSERT INTO click_batches (process, number, written_at) VALUES (${process}, ${number}, ${last.at})
        ON CONFLICT (process) DO UPDATE SET number = excluded.number, written_at = excluded.written_at
          WHERE click_batches.number < excluded.number
        RETURNING number
      ) INSERT INTO waiting_clicks (link_id, at, visitor, bot, browser, system, device, referrer, country)
      SELECT clicks.* FROM batch, unnest(${column('link')}::bigint[], ${column('at')}::bigint[],
        ${column('visitor')}::bigint[], ${clicks.map(({ bot }) => Number(bot))}::bigint[], ${column('browser')}::text[],
        ${column('system')}::text[], ${column('device')}::text[], ${column('referrer')}::text[],
        ${column('country')}::text[]) AS clicks`,
      PREPARED,
    );
  };
}

/**
 * Creates the error that is thrown if a database cannot be opened. The message omits the database URL, because it may
 * contain a password.
 */
function unusable(error: unknown): StoreError {
  const cause = (error instanceof StoreUnavailable ? error.cause : error) as Error;
  return new StoreError(`The PostgreSQL database cannot be opened: ${reasonOf(cause)}.`, { cause });
}
