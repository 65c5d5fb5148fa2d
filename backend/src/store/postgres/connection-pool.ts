import type { Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { StoreTimeout } from '../interface/store.ts';
import { type Fault, faultOf } from './postgres-errors.ts';
import {
  DEADLINES,
  type Deadline,
  type Deadlines,
  NO_DEADLINE,
  withDeadline,
  withRetries,
} from './retries-and-deadlines.ts';

/** A statement that is prepared once per connection. */
export interface Statement {
  name: string;
  text: string;
  /** True if it may be sent together with BEGIN, before the server has confirmed it. */
  changesNothing?: boolean;
}

/** Runs a statement and returns its rows. */
export type Ask = <Row>(statement: Statement, ...values: unknown[]) => Promise<Row[]>;

/** A pool of connections to a PostgreSQL database that runs prepared statements. */
export interface Database {
  prepare(sql: string, options?: Pick<Statement, 'changesNothing'>): Statement;
  deadlines: Deadlines;
  /** Runs one reading statement. Repeats it if the connection is lost, until the deadline for reads. */
  read: Ask;
  /** Runs one writing statement, until the deadline for writes. Resolves when the data is on disk. */
  write: Ask;
  /**
   * Runs `work` in a transaction and repeats it after a conflict. Apart from `ask`, `work` must have no side effects.
   */
  transaction<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result>;
  /** Delays `close` until an operation is done that starts later. */
  keepOpen<Result>(operation: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface PostgresAddress {
  url: string;
  connections: number;
  /** Deadlines of the service by default. */
  deadlines?: Deadlines;
}

/** Timeouts that the server applies if this process gave up or died. Migrations run without them. */
export function requestTimeouts({ write }: Deadlines): PoolConfig {
  return {
    statement_timeout: write,
    /**
     * Releases the locks of a process that hangs inside a transaction. Half of the deadline, so that waiting
     * transactions still have time.
     */
    idle_in_transaction_session_timeout: Math.ceil(write / 2),
    /** Maximum wait for a new or free connection. */
    connectionTimeoutMillis: write,
  };
}

/** Maximum wait of a migration for a connection, in milliseconds. */
const CONNECT_TIMEOUT = DEADLINES.write;
/** Maximum time for closing the connections, in milliseconds. */
const CLOSE_TIMEOUT = 1000;
/** Time after which an unused connection is closed, in milliseconds. */
const IDLE_TIMEOUT = 60_000;

export function connect({ url, connections, deadlines = DEADLINES }: PostgresAddress): Database {
  // Pipelining sends independent statements in one round trip.
  const pool = createPool(url, { ...requestTimeouts(deadlines), max: connections, pipeline: true });
  const open = new Set<PoolClient>();
  pool.on('connect', (client) => open.add(client));
  pool.on('remove', (client) => open.delete(client));
  let running = 0;
  let settled: (() => void) | null = null;
  let prepared = 0;

  /** Counts running operations, because closing the pool drops those that still wait for a connection. */
  async function trackRunning<Result>(operation: () => Promise<Result>): Promise<Result> {
    running += 1;
    try {
      return await operation();
    } finally {
      running -= 1;
      if (running === 0) settled?.();
    }
  }

  /** Runs one statement. The deadline covers all its attempts together. */
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
        // One operation can start another one in the next tick.
        await setImmediate();
      }
      // An unresponsive server would otherwise keep the process alive forever.
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
  // A broken idle connection has already left the pool. The next query opens a new one or reports the error.
  pool.on('error', () => {});
  return pool;
}

/** PostgreSQL texts cannot contain NUL, so no row can match. The query is skipped. */
function containsNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0');
}

const { INT8, NUMERIC } = types.builtins;

/** Parses 64-bit integers as numbers. Ids, times and sums are far below 2^53. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format as 'text');

/** Runs `work` in a transaction and rolls back if it throws. */
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
      // If a pipelined statement failed, later statements must not run after the rollback.
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

/** Runs `work` on its own connection and returns that to the pool, unless it is broken. */
async function onConnection<Result>(
  pool: Pool,
  deadline: Deadline,
  work: (ask: Ask, control: (command: string) => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const client = await deadline.connection(pool);
  // Without a listener, a connection that breaks between two statements would end the process. The next statement
  // reports the error.
  const ignore = () => {};
  client.on('error', ignore);
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
    // The driver would otherwise wait forever for outstanding responses.
    if (isBroken) hangUp(client);
    client.off('error', ignore);
    client.release(isBroken);
  }
}

/** Closes the socket without a goodbye message. The types of `pg` do not include it. */
function hangUp(client: PoolClient): void {
  (client as PoolClient & { connection: { stream: Socket } }).connection.stream.destroy();
}

/** True if the connection is still usable after this error: it was not lost, and no statement is running on it. */
function isStillUsable(error: unknown): boolean {
  return !(error instanceof StoreTimeout) && faultOf(error) !== 'lost';
}
