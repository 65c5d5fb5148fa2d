import type { Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { StoreTimeout } from '../interface/store.ts';
import { type Fault, faultOf, refusedConnection } from './postgres-errors.ts';
import {
  DEADLINES,
  type Deadline,
  type Deadlines,
  NO_DEADLINE,
  withDeadline,
  withRetries,
} from './retries-and-deadlines.ts';

export interface Statement {
  name: string;
  text: string;
  /**
   * True if the statement changes nothing. The statement can then be sent without waiting for the response to BEGIN.
   */
  changesNothing?: boolean;
}

export type Ask = <Row>(statement: Statement, ...values: unknown[]) => Promise<Row[]>;

export interface Database {
  prepare(sql: string, options?: Pick<Statement, 'changesNothing'>): Statement;
  deadlines: Deadlines;
  /**
   * Runs one read-only statement. If the connection is lost, retries the statement several times within the deadline.
   */
  read: Ask;
  /** Runs one write statement. The promise resolves when the data is on disk. */
  write: Ask;
  /**
   * Runs `work` in a transaction, and repeats it after a conflict. Apart from its database queries, `work` must have
   * no side effects.
   */
  transaction<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result>;
  /** Runs an operation. `close` waits until the operation is finished. */
  keepOpen<Result>(operation: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface PostgresAddress {
  url: string;
  connections: number;
  deadlines?: Deadlines;
}

/**
 * Returns timeouts for the database server. After a timeout, the server cancels the queries of a process that has
 * crashed or stopped waiting. Migrations run without these timeouts.
 */
export function requestTimeouts({ write }: Deadlines): PoolConfig {
  return {
    statement_timeout: write,
    /**
     * Ends the transaction of a hanging process after half of the write deadline. Transactions that wait for its
     * locks can then still finish in time.
     */
    idle_in_transaction_session_timeout: Math.ceil(write / 2),
    connectionTimeoutMillis: write,
  };
}

const CONNECT_TIMEOUT = DEADLINES.write;
const CLOSE_TIMEOUT = 1000;
const IDLE_TIMEOUT = 60_000;

export function connect({ url, connections, deadlines = DEADLINES }: PostgresAddress): Database {
  // Pipelining sends several statements without waiting for each response.
  const pool = createPool(url, { ...requestTimeouts(deadlines), max: connections, pipeline: true });
  const open = new Set<PoolClient>();
  pool.on('connect', (client) => open.add(client));
  pool.on('remove', (client) => open.delete(client));
  let running = 0;
  let settled: (() => void) | null = null;
  let prepared = 0;

  /**
   * Runs an operation and counts it as running until it ends. `close` waits for running operations. If the pool were
   * closed earlier, operations that are still waiting for a connection would be lost.
   */
  async function trackRunning<Result>(operation: () => Promise<Result>): Promise<Result> {
    running += 1;
    try {
      return await operation();
    } finally {
      running -= 1;
      if (running === 0) settled?.();
    }
  }

  const statement =
    (again: readonly Fault[], milliseconds: number): Ask =>
    (statement, ...values) =>
      trackRunning(() =>
        withDeadline(milliseconds, (deadline) =>
          withRetries(again, () => onConnection(pool, deadline, (ask) => ask(statement, ...values)), deadline),
        ),
      );
  const read = statement(['conflict', 'lost'], deadlines.read);

  return {
    deadlines,
    prepare(text, options) {
      prepared += 1;
      return { name: `terse_${prepared}`, text, ...options };
    },
    read: async (statement, ...values) => (values.some(containsNul) ? [] : read(statement, ...values)),
    write: statement(['conflict'], deadlines.write),
    keepOpen: trackRunning,
    transaction: (work) =>
      trackRunning(() =>
        withDeadline(deadlines.write, (deadline) =>
          withRetries(['conflict'], () => inTransaction(pool, work, deadline), deadline),
        ),
      ),
    async close() {
      while (running > 0) {
        await new Promise<void>((resolve) => {
          settled = resolve;
        });
        // Waits one tick, because the caller of the finished operation may start another operation.
        await setImmediate();
      }
      // The wait is limited, because an unresponsive server could keep the process alive forever.
      await Promise.race([pool.end(), sleep(CLOSE_TIMEOUT, null, { ref: false })]);
      for (const client of open) hangUp(client);
    },
  };
}

export function createPool(url: string, options: PoolConfig): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: 'terse',
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    idleTimeoutMillis: IDLE_TIMEOUT,
    keepAlive: true,
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

/**
 * True if a value is a string that contains a NUL character. Queries for such strings are skipped, because PostgreSQL
 * cannot store NUL characters.
 */
function containsNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0');
}

const { INT8, NUMERIC } = types.builtins;

/**
 * Parses 64-bit integers as JavaScript numbers. All ids, times and sums are small enough to be represented exactly.
 */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format as 'text');

export function inTransaction<Result>(
  pool: Pool,
  work: (ask: Ask) => Promise<Result>,
  deadline: Deadline = NO_DEADLINE,
): Promise<Result> {
  return onConnection(pool, deadline, async (ask, control) => {
    let isRolledBack = false;
    const started = control('BEGIN');
    const askInTransaction: Ask = async (statement, ...values) => {
      if (!statement.changesNothing) await started;
      // After a pipelined statement has failed, the transaction is rolled back. Later statements must not run outside
      // the transaction.
      if (isRolledBack) throw new Error('The transaction has ended.');
      return ask(statement, ...values);
    };
    try {
      const [result] = await Promise.all([work(askInTransaction), started]);
      await control('COMMIT');
      return result;
    } catch (error) {
      isRolledBack = true;
      if (isStillUsable(error)) await control('ROLLBACK');
      throw error;
    }
  });
}

/**
 * Runs `work` on one connection and then returns the connection to the pool. If the connection is broken, closes it.
 */
async function onConnection<Result>(
  pool: Pool,
  deadline: Deadline,
  work: (ask: Ask, control: (command: string) => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const client = await deadline.connection(pool).catch((error) => {
    throw error instanceof StoreTimeout ? error : refusedConnection(error);
  });
  let isBroken = false;
  try {
    return await work(
      async ({ name, text }, ...values) => (await deadline.wait(client.query({ name, text, values }))).rows,
      (command) => deadline.wait(client.query(command)),
    );
  } catch (error) {
    isBroken = !isStillUsable(error);
    throw error;
  } finally {
    // If the socket stays open, the driver waits forever for responses on a broken connection.
    if (isBroken) hangUp(client);
    client.release(isBroken);
  }
}

/** Closes the socket without notifying the server. The types of the package `pg` do not include the socket. */
function hangUp(client: PoolClient): void {
  (client as PoolClient & { connection: { stream: Socket } }).connection.stream.destroy();
}

/**
 * True if the connection can be reused after an error: the connection is not lost, and no statement is still running.
 */
function isStillUsable(error: unknown): boolean {
  return !(error instanceof StoreTimeout) && faultOf(error) !== 'lost';
}
