import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolConfig, types } from 'pg';
import { StoreFull, StoreTimeout, StoreUnavailable } from '../store-errors.ts';
import { faultOf, isDiskFull, isTimeout } from './postgres-errors.ts';

export interface Statement {
  /** Name of a prepared statement. Empty if the statement is not prepared. */
  name: string;
  text: string;
}

export type Ask = <Row>(statement: Statement, ...values: unknown[]) => Promise<Row[]>;

export interface Database {
  prepare(sql: string): Statement;
  /** Runs one read-only statement. If the connection is lost, retries the statement until the deadline. */
  read: Ask;
  /** Runs one write statement. The promise resolves when the data is on disk. */
  write: Ask;
  /**
   * Runs `work` in a transaction, and repeats it after a conflict. Apart from its database queries, `work` must have
   * no side effects. If the connection is lost, the transaction is not repeated, because it may have been committed.
   */
  transaction<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Maximum durations in milliseconds: of a read including its retries, and of each statement that writes. */
export interface Deadlines {
  read: number;
  write: number;
}

export const DEADLINES: Readonly<Deadlines> = { read: 2000, write: 5000 };

export interface PostgresAddress {
  url: string;
  connections: number;
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
    /**
     * Ends the transaction of a hanging process after half of the write deadline. Transactions that wait for its
     * locks can then still finish in time.
     */
    idle_in_transaction_session_timeout: Math.ceil(write / 2),
    connectionTimeoutMillis: read,
  };
}

const CONNECT_TIMEOUT = DEADLINES.write;
const IDLE_TIMEOUT = 60_000;
/** Maximum time to wait until the server has confirmed that the connections are closed, in milliseconds. */
const CLOSE_TIMEOUT = 1000;

export function createPool(url: string, options: PoolConfig): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: 'terse',
    connectionTimeoutMillis: CONNECT_TIMEOUT,
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
  let prepared = 0;

  /** Counts an operation as running until it ends, so that `close` can wait for operations without a connection. */
  async function track<Result>(operation: () => Promise<Result>): Promise<Result> {
    running += 1;
    try {
      return await operation();
    } finally {
      running -= 1;
    }
  }

  return {
    prepare(text) {
      prepared += 1;
      return { name: `terse_${prepared}`, text };
    },
    async read(statement, ...values) {
      // PostgreSQL cannot store NUL characters, so no row contains one.
      if (values.some((value) => typeof value === 'string' && value.includes('\0'))) return [];
      return track(() => readWithin(pool, deadlines.read, statement, values));
    },
    write: (statement, ...values) => track(() => retryConflicts(() => runOne(pool, { ...statement, values }))),
    transaction: (work) => track(() => retryConflicts(() => inTransaction(pool, work))),
    async close() {
      // Waits one tick after each check, because the caller of a finished operation may start another operation.
      while (running > 0) await sleep(1).then(() => setImmediate());
      await Promise.race([pool.end(), sleep(CLOSE_TIMEOUT, null, { ref: false })]);
    },
  };
}

/** Reads rows. If the connection is lost, reads again on another connection until the deadline. */
async function readWithin<Row>(pool: Pool, deadline: number, statement: Statement, values: unknown[]): Promise<Row[]> {
  const end = performance.now() + deadline;
  for (let attempt = 1; ; attempt += 1) {
    const left = Math.max(1, Math.ceil(end - performance.now()));
    try {
      return await runOne(pool, { ...statement, values, query_timeout: left });
    } catch (error) {
      const pause = pauseAfter(attempt);
      if (!(error instanceof StoreUnavailable) || error instanceof StoreTimeout) throw error;
      if (attempt === MAX_ATTEMPTS || performance.now() + pause >= end) throw error;
      await sleep(pause);
    }
  }
}

/** Maximum number of attempts. The next two constants determine the pauses between the attempts, in milliseconds. */
const MAX_ATTEMPTS = 10;
const FIRST_PAUSE = 5;
const MAX_PAUSE = 200;

/** Returns a random pause, so that two conflicting transactions do not retry at the same time. */
function pauseAfter(attempt: number): number {
  return Math.random() * Math.min(FIRST_PAUSE * 2 ** attempt, MAX_PAUSE);
}

/**
 * Repeats an operation that PostgreSQL has rolled back because of a conflict with another transaction.
 *
 * @throws StoreUnavailable if the conflicts continue
 */
export async function retryConflicts<Result>(operation: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      if (faultOf(error) !== 'conflict') throw error;
      if (attempt === MAX_ATTEMPTS) throw new StoreUnavailable(error);
      await sleep(pauseAfter(attempt));
    }
  }
}

interface Query extends Statement {
  values?: unknown[];
  query_timeout?: number;
}

async function runOne<Row>(pool: Pool, query: Query): Promise<Row[]> {
  return onConnection(pool, (run) => run<Row>(query));
}

/** Runs `work` in a transaction, and rolls back if `work` throws. */
export function inTransaction<Result>(pool: Pool, work: (ask: Ask) => Promise<Result>): Promise<Result> {
  return onConnection(pool, async (run) => {
    await run({ name: '', text: 'BEGIN ISOLATION LEVEL READ COMMITTED' });
    try {
      const result = await work((statement, ...values) => run({ ...statement, values }));
      await run({ name: '', text: 'COMMIT' });
      return result;
    } catch (error) {
      // A broken connection is closed, which rolls back too.
      if (!(error instanceof StoreUnavailable)) await run({ name: '', text: 'ROLLBACK' });
      throw error;
    }
  });
}

/**
 * Runs `work` on one connection and then returns the connection to the pool. A broken connection is closed, and so is
 * a connection whose server did not respond in time.
 *
 * @throws StoreUnavailable if the server is unreachable, did not respond in time or has a full disk
 */
async function onConnection<Result>(
  pool: Pool,
  work: (run: <Row>(query: Query) => Promise<Row[]>) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect().catch((error) => {
    throw isTimeout(error) ? new StoreTimeout() : new StoreUnavailable(error);
  });
  let isBroken = false;
  async function run<Row>(query: Query): Promise<Row[]> {
    try {
      return (await client.query<Row & object>(query)).rows;
    } catch (error) {
      if (faultOf(error) !== 'lost') throw error;
      isBroken = true;
      if (isDiskFull(error)) throw new StoreFull(error);
      throw isTimeout(error) ? new StoreTimeout() : new StoreUnavailable(error);
    }
  }
  try {
    return await work(run);
  } finally {
    client.release(isBroken);
  }
}
