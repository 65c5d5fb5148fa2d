import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolConfig, type QueryConfig, types } from 'pg';
import sql from 'sql-template-tag';
import { PREPARED, type Run, type SharedDatabase } from '../sql/sql-runner.ts';
import { StoreFull, StoreTimeout, StoreUnavailable } from '../store-errors.ts';
import { isConflict, isDiskFull, isLost, isTimeout } from './postgres-errors.ts';

/** Connections to a PostgreSQL database. Reads are repeated if the connection is lost, writes only after a conflict. */
export interface Database extends Pick<SharedDatabase, 'read' | 'write' | 'transaction'> {
  close(): Promise<void>;
}

/** Maximum durations in milliseconds: of a read including its retries, and of each statement that writes. */
export interface Deadlines {
  read: number;
  write: number;
}

export const DEADLINES: Readonly<Deadlines> = { read: 2000, write: 5000 };

export interface PostgresAddress {
  /** PostgreSQL URL: `postgres://…`. For a Unix socket, `?host=/path` specifies the folder of the socket. */
  url: string;
  connections: number;
  /** Tests on slow machines use longer deadlines. */
  deadlines?: Deadlines;
}

/**
 * Returns timeouts for requests. The database server cancels the statements of a process that has crashed or stopped
 * waiting. Migrations run without these timeouts.
 */
export function requestTimeouts({ read, write }: Deadlines): PoolConfig {
  return {
    query_timeout: write,
    statement_timeout: write,
    // Ends the transaction of a hanging process after half of the write deadline. Transactions that wait for its locks
    // can then still finish in time.
    idle_in_transaction_session_timeout: Math.ceil(write / 2),
    connectionTimeoutMillis: read,
  };
}

const IDLE_TIMEOUT = 60_000;
/** Maximum time to wait until the server has confirmed that the connections are closed, in milliseconds. */
const CLOSE_TIMEOUT = 1000;

export function createPool(url: string, options: PoolConfig): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: 'terse',
    connectionTimeoutMillis: DEADLINES.write,
    idleTimeoutMillis: IDLE_TIMEOUT,
    keepAlive: true,
    // Idle connections do not keep a process alive whose server does not respond.
    allowExitOnIdle: true,
    types: { getTypeParser },
    ...options,
  });
  // The pool has already removed the broken connection, so this error can be ignored. The next query opens a new
  // connection.
  pool.on('error', () => {});
  // Without a listener, the process would end if a connection failed between two statements. The next statement
  // reports the error.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

const { INT8, NUMERIC } = types.builtins;

/**
 * Parses 64-bit integers as JavaScript numbers. All ids, times and sums are small enough to be represented exactly.
 */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format as 'text');

export function connect({ url, connections, deadlines = DEADLINES }: PostgresAddress): Database {
  const pool = createPool(url, { ...requestTimeouts(deadlines), max: connections });
  let running = 0;

  /** Counts an operation as running until it ends, so that `close` can wait for operations without a connection. */
  async function track<Result>(operation: Promise<Result>): Promise<Result> {
    running += 1;
    return operation.finally(() => {
      running -= 1;
    });
  }

  return {
    async read(statement, plan) {
      // PostgreSQL cannot store NUL characters, so no row contains one.
      if (statement.values.some((value) => typeof value === 'string' && value.includes('\0'))) return [];
      const end = performance.now() + deadlines.read;
      const timeout = () => Math.max(1, Math.ceil(end - performance.now()));
      return track(
        retry(
          () => onConnection(pool, (run) => run(statement, plan), timeout()),
          (error, pause) =>
            error instanceof StoreUnavailable && !(error instanceof StoreTimeout) && performance.now() + pause < end,
        ),
      );
    },
    write: (statement, plan) => track(retryConflicts(() => onConnection(pool, (run) => run(statement, plan)))),
    transaction: (work) => track(retryConflicts(() => inTransaction(pool, work))),
    async close() {
      // Waits one tick after each check, because the caller of a finished operation may start another operation.
      while (running > 0) await sleep(1).then(() => setImmediate());
      await Promise.race([pool.end(), sleep(CLOSE_TIMEOUT, null, { ref: false })]);
    },
  };
}

/** Maximum number of attempts. The next two constants determine the pauses between the attempts, in milliseconds. */
const MAX_ATTEMPTS = 10;
const FIRST_PAUSE = 5;
const MAX_PAUSE = 200;

async function retry<Result>(
  operation: () => Promise<Result>,
  canRetry: (error: unknown, pause: number) => boolean,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      // The pause is random, so that two conflicting transactions do not retry at the same time.
      const pause = Math.random() * Math.min(FIRST_PAUSE * 2 ** attempt, MAX_PAUSE);
      if (attempt === MAX_ATTEMPTS || !canRetry(error, pause)) throw error;
      await sleep(pause);
    }
  }
}

/** PostgreSQL has rolled back the transaction because of another transaction. It can be repeated. */
class Conflict extends StoreUnavailable {}

/**
 * Repeats an operation that PostgreSQL has rolled back because of a conflict with another transaction. If the
 * connection is lost, the operation is not repeated, because it may have been committed.
 *
 * @throws StoreUnavailable if the conflicts continue
 */
export function retryConflicts<Result>(operation: () => Promise<Result>): Promise<Result> {
  return retry(operation, (error) => error instanceof Conflict);
}

/** Runs `work` in a transaction, and rolls back if `work` throws. */
export function inTransaction<Result>(pool: Pool, work: (run: Run) => Promise<Result>): Promise<Result> {
  return onConnection(pool, async (run) => {
    await run(sql`BEGIN ISOLATION LEVEL READ COMMITTED`);
    try {
      const result = await work(run);
      await run(sql`COMMIT`);
      return result;
    } catch (error) {
      // A broken connection is closed, which rolls back too.
      if (!(error instanceof StoreUnavailable) || error instanceof Conflict) await run(sql`ROLLBACK`);
      throw error;
    }
  });
}

/**
 * Runs `work` on one connection and then returns the connection to the pool. A broken connection is closed, and so is
 * a connection whose server did not respond in time.
 *
 * @param timeout maximum duration of each statement in milliseconds
 * @throws StoreUnavailable if the server is unreachable, did not respond in time or has a full disk
 */
export async function onConnection<Result>(
  pool: Pool,
  work: (run: Run) => Promise<Result>,
  timeout?: number,
): Promise<Result> {
  const client = await pool.connect().catch((error) => {
    throw unavailable(error);
  });
  let isBroken = false;
  const run: Run = async <Row>({ text, values }: Parameters<Run>[0], plan?: typeof PREPARED): Promise<Row[]> => {
    const query: QueryConfig & { query_timeout?: number } = { text, values };
    if (plan === PREPARED) query.name = nameOf(text);
    if (timeout !== undefined) query.query_timeout = timeout;
    try {
      return (await client.query<Row & object>(query)).rows;
    } catch (error) {
      if (isConflict(error)) throw new Conflict(error);
      if (!isLost(error)) throw error;
      isBroken = true;
      throw unavailable(error);
    }
  };
  try {
    return await work(run);
  } finally {
    client.release(isBroken);
  }
}

const preparedNames = new Map<string, string>();

/** Returns the name of the prepared statement with a text. */
function nameOf(text: string): string {
  const name = preparedNames.get(text) ?? `terse_${preparedNames.size + 1}`;
  preparedNames.set(text, name);
  return name;
}

function unavailable(error: unknown): StoreUnavailable {
  if (isDiskFull(error)) return new StoreFull(error);
  return isTimeout(error) ? new StoreTimeout() : new StoreUnavailable(error);
}
