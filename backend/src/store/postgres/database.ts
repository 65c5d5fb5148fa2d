import { setImmediate } from 'node:timers/promises';
import { Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { attempts } from './attempts.ts';
import { faultOf } from './faults.ts';

/** A statement each connection parses once. */
export interface Statement {
  name: string;
  text: string;
}

/** Runs one statement and returns its rows. */
export type Ask = <Row>(statement: Statement, ...values: unknown[]) => Promise<Row[]>;

/** A bounded number of connections to one PostgreSQL database, ready for prepared statements. */
export interface Database {
  prepare(sql: string): Statement;
  /** One statement that changes nothing: asked again where its connection breaks. */
  read: Ask;
  /** One statement that changes something, on disk when it resolves. */
  write: Ask;
  /**
   * Runs `work` in a transaction of its own, from the start again where it collides with another. It must have no
   * effect but through `ask`.
   */
  transaction<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result>;
  /** Keeps the connections until an operation that does not begin at once is done. */
  keepOpen<Result>(operation: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

export interface PostgresAddress {
  url: string;
  connections: number;
}

/** Of one request's work, in milliseconds; the schema's steps have no such bounds. */
const REQUEST_TIMEOUTS: PoolConfig = {
  /** The server gives up a statement; a little later the program gives up the server. */
  statement_timeout: 10_000,
  query_timeout: 12_000,
  /** A process that hangs in the middle of a transaction keeps its locks no longer than this. */
  idle_in_transaction_session_timeout: 15_000,
};

/** How long to wait for a connection, new or freed by another request, in milliseconds. */
const CONNECT_TIMEOUT = 5000;
/** An unused connection is kept this long. */
const IDLE_TIMEOUT = 60_000;

export function connect({ url, connections }: PostgresAddress): Database {
  const pool = createPool(url, { ...REQUEST_TIMEOUTS, max: connections });
  let running = 0;
  let settled: (() => void) | null = null;
  let prepared = 0;

  /** Counts what runs, since the pool drops what still waits for a connection when it ends. */
  async function counted<Result>(operation: () => Promise<Result>): Promise<Result> {
    running += 1;
    try {
      return await operation();
    } finally {
      running -= 1;
      if (running === 0) settled?.();
    }
  }

  return {
    prepare(text) {
      prepared += 1;
      return { name: `terse_${prepared}`, text };
    },
    read: async (statement, ...values) => {
      if (values.some(isUnknowable)) return [];
      return counted(() =>
        attempts(['conflict', 'lost'], async () => (await pool.query({ ...statement, values })).rows),
      );
    },
    write: (statement, ...values) =>
      counted(() => attempts(['conflict'], async () => (await pool.query({ ...statement, values })).rows)),
    keepOpen: counted,
    transaction: (work) => counted(() => attempts(['conflict'], () => inTransaction(pool, work))),
    async close() {
      while (running > 0) {
        await new Promise<void>((resolve) => {
          settled = resolve;
        });
        // What was asked may be several operations, one after another.
        await setImmediate();
      }
      await pool.end();
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
  // An idle connection that breaks has left the pool by then; whoever needs one next makes it anew, or is told why not.
  pool.on('error', () => {});
  return pool;
}

/** PostgreSQL's text holds no NUL, and it will not even be asked for one: there is nothing of that name. */
function isUnknowable(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0');
}

const { INT8, NUMERIC } = types.builtins;

/** Ids, instants and sums are all far below 2^53, and numbers to the program. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format as 'text');

export async function inTransaction<Result>(pool: Pool, work: (ask: Ask) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  // Without a listener a connection that breaks between two statements would end the process; the next one tells.
  const ignore = () => {};
  client.on('error', ignore);
  let broken = false;
  try {
    await client.query('BEGIN');
    const result = await work(async (statement, ...values) => (await client.query({ ...statement, values })).rows);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    broken = faultOf(error) === 'lost' || !(await rolledBack(client));
    throw error;
  } finally {
    client.off('error', ignore);
    client.release(broken);
  }
}

async function rolledBack(client: PoolClient): Promise<boolean> {
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  );
}
