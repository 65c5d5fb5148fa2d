import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolConfig, types } from 'pg';
import sql, { raw } from 'sql-template-tag';
import type { Clock } from '../../domain/clock-and-random.ts';
import type { Database, Run, Statement } from '../sql/database.ts';
import { StoreError, StoreFull, StoreTimeout, StoreUnavailable } from '../store-errors.ts';

export interface PostgresAddress {
  /** PostgreSQL URL: `postgres://…`. For a Unix socket, `?host=/path` specifies the folder of the socket. */
  url: string;
  connections: number;
  /** Maximum duration of each statement in milliseconds. Tests on slow machines use a longer one. */
  timeout?: number;
}

/** Default of `PostgresAddress.timeout`, in a field so that tests can change it. */
export const DEFAULTS = { timeout: 3000 };

/**
 * Returns timeouts for requests. The database server cancels the statements of a process that has crashed or stopped
 * waiting. Migrations run without these timeouts.
 */
export function requestTimeouts(timeout: number): PoolConfig {
  return {
    query_timeout: timeout,
    statement_timeout: timeout,
    // Ends the transaction of a hanging process early, so that transactions that wait for its locks still finish in
    // time.
    idle_in_transaction_session_timeout: Math.ceil(timeout / 2),
    connectionTimeoutMillis: timeout,
  };
}

/** Maximum time to connect while the service starts or a command runs, in milliseconds. */
const OPENING_TIMEOUT = 10_000;
const IDLE_TIMEOUT = 60_000;
/** Maximum time to wait until the server has confirmed that the connections are closed, in milliseconds. */
const CLOSE_TIMEOUT = 1000;

export function createPool(url: string, options: PoolConfig): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: 'terse',
    connectionTimeoutMillis: OPENING_TIMEOUT,
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

/** SQL for the number of an advisory lock. Services in other schemas of the same database have other locks. */
export const lockOf = (name: string) => raw(`hashtext('terse ${name} ' || current_schema())`);

/**
 * Connects to a PostgreSQL database. Reads are repeated if the connection is lost. Writes are repeated only after a
 * conflict, because a write whose connection was lost may have been committed.
 *
 * @param clock replaces the database's clock in tests
 */
export function connect(
  { url, connections, timeout = DEFAULTS.timeout }: PostgresAddress,
  clock: Clock | null = null,
): Database {
  const pool = createPool(url, { ...requestTimeouts(timeout), max: connections });
  const running = new Set<Promise<unknown>>();

  /** Remembers an operation until it ends, because the pool forgets operations that wait for a connection when it ends. */
  function track<Result>(operation: Promise<Result>): Promise<Result> {
    running.add(operation);
    return operation.finally(() => running.delete(operation));
  }

  const transaction: Database['transaction'] = (work) => track(retryConflicts(() => inTransaction(pool, work)));
  return {
    async read(statement) {
      // PostgreSQL cannot store NUL characters, so no row contains one.
      if (statement.values.some((value) => typeof value === 'string' && value.includes('\0'))) return [];
      return track(
        retry(
          () => onConnection(pool, (run) => run(statement)),
          (error) => error instanceof StoreUnavailable && !(error instanceof StoreTimeout),
        ),
      );
    },
    write: (statement) => track(retryConflicts(() => onConnection(pool, (run) => run(statement)))),
    transaction,
    clickTransaction: transaction,
    // Locks rows with FOR NO KEY UPDATE. Unlike FOR UPDATE, this lock lets other transactions insert rows that
    // reference the locked rows.
    rowLock: raw('FOR NO KEY UPDATE'),
    async now(run) {
      if (clock) return clock();
      // `now()` is not suitable, because it returns the start time of the transaction.
      const [row] = await run<{ now: number }>(
        sql`SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now`,
      );
      return row?.now as number;
    },
    jsonRows: (rows) => sql`json_array_elements(CAST(${JSON.stringify(rows)} AS json))`,
    async lock(run, name) {
      await run(sql`SELECT pg_advisory_xact_lock(${lockOf(name)})`);
    },
    revision: () => null,
    eraseDeleted: async () => true,
    async close() {
      while (running.size > 0) await Promise.allSettled(running);
      await Promise.race([pool.end(), sleep(CLOSE_TIMEOUT, undefined, { ref: false })]);
    },
  };
}

/** Maximum number of attempts. The next two constants determine the pauses between the attempts, in milliseconds. */
const MAX_ATTEMPTS = 10;
const FIRST_PAUSE = 5;
const MAX_PAUSE = 200;

async function retry<Result>(operation: () => Promise<Result>, canRetry: (error: unknown) => boolean): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await operation();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !canRetry(error)) throw error;
      // The pause is random, so that two conflicting transactions do not retry at the same time.
      await sleep(Math.random() * Math.min(FIRST_PAUSE * 2 ** attempt, MAX_PAUSE));
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
 * @throws StoreUnavailable if the server is unreachable, did not respond in time or has a full disk
 */
export async function onConnection<Result>(pool: Pool, work: (run: Run) => Promise<Result>): Promise<Result> {
  const client = await pool.connect().catch((error) => {
    const reported = reportedAs(error);
    throw reported instanceof StoreUnavailable ? reported : new StoreUnavailable(error);
  });
  let isBroken = false;
  const run: Run = async <Row>({ text, values }: Statement): Promise<Row[]> => {
    try {
      return (await client.query<Row & object>(text, values)).rows;
    } catch (error) {
      const reported = reportedAs(error);
      isBroken ||= reported instanceof StoreUnavailable && !(reported instanceof Conflict);
      throw reported;
    }
  };
  try {
    return await work(run);
  } finally {
    client.release(isBroken);
  }
}

/**
 * PostgreSQL error codes for serialization failures, deadlocks, lock timeouts and broken foreign keys. The transaction
 * was rolled back and can be repeated. All references are to rows that were just read, so a foreign key is broken only
 * if another transaction creates a link while its account is being deleted.
 */
const CONFLICTS = new Set(['40001', '40P01', '55P03', '23503']);

const DISK_FULL = '53100';

/**
 * PostgreSQL error codes for an unavailable server. Class 08 means a connection error, class 53 insufficient
 * resources, and class 57 a shutdown by the operator. 25006 means that the server has become read-only, and 25P03
 * that a transaction was idle for too long.
 */
const LOST = /^(08...|53...|57...|25006|25P03)$/;

/** Error messages of the driver for lost connections, which have no error code. */
const LOST_WORDS = /^(Connection terminated|Client (was closed|has encountered))/;

/** Error messages of the driver if the server does not respond in time. */
const TIMEOUTS = /^(Query read timeout|timeout e|Connection terminated due to connection timeout)/;

/** Converts an error of an unavailable server or a conflict to StoreUnavailable. Other errors are returned unchanged. */
function reportedAs(error: unknown): unknown {
  const { code = '', syscall, message = '' } = error as NodeJS.ErrnoException;
  if (CONFLICTS.has(code)) return new Conflict(error);
  if (code === DISK_FULL) return new StoreFull(error);
  if (TIMEOUTS.test(message)) return new StoreTimeout();
  const isLost = LOST.test(code) || syscall !== undefined || LOST_WORDS.test(message);
  return isLost ? new StoreUnavailable(error) : error;
}

/** Converts an error to a message for the operator. It omits the database URL, which may contain a password. */
export function cannotOpen(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  // If a host has several addresses, the error has no message. Instead, it contains one error per address.
  const { message } = (cause instanceof AggregateError ? cause.errors[0] : cause) as Error;
  return new StoreError(`The PostgreSQL database cannot be opened: ${message.replace(/\.$/, '')}.`, { cause });
}
