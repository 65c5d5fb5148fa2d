import type { Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { StoreTimeout } from '../interface/store.ts';
import { type Fault, faultOf } from './postgres-errors.ts';
import {
  attempts,
  DEADLINES,
  type Deadline,
  type Deadlines,
  NO_DEADLINE,
  withDeadline,
} from './retries-and-deadlines.ts';

/** A statement each connection parses once. */
export interface Statement {
  name: string;
  text: string;
  /** Whether it may be sent together with the beginning of its transaction, before that is known to have succeeded. */
  changesNothing?: boolean;
}

/** Runs one statement and returns its rows. */
export type Ask = <Row>(statement: Statement, ...values: unknown[]) => Promise<Row[]>;

/** A bounded number of connections to one PostgreSQL database, ready for prepared statements. */
export interface Database {
  prepare(sql: string, how?: Pick<Statement, 'changesNothing'>): Statement;
  deadlines: Deadlines;
  /** One statement that changes nothing: asked again where its connection breaks. Given up by the deadline of what reads. */
  read: Ask;
  /** One statement that changes something, on disk when it resolves. Given up by the deadline of what writes. */
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
  /** Those of the service unless they are given. */
  deadlines?: Deadlines;
}

/** What the server does on its own for a program that has given up or died; the schema's steps have no such bounds. */
export function requestTimeouts({ write }: Deadlines): PoolConfig {
  return {
    statement_timeout: write,
    /**
     * A process that hangs in the middle of a transaction keeps its locks no longer than this: whoever waits for them has as long
     * again before its own deadline.
     */
    idle_in_transaction_session_timeout: Math.ceil(write / 2),
    /** How long to wait for a connection, new or freed by another request. */
    connectionTimeoutMillis: write,
  };
}

/** How long the schema's steps wait for a connection, in milliseconds. */
const CONNECT_TIMEOUT = DEADLINES.write;
/** How long the last connections may take to say goodbye, in milliseconds. */
const FAREWELL_TIMEOUT = 1000;
/** An unused connection is kept this long. */
const IDLE_TIMEOUT = 60_000;

export function connect({ url, connections, deadlines = DEADLINES }: PostgresAddress): Database {
  // Statements that do not wait for each other's answers share a round trip.
  const pool = createPool(url, { ...requestTimeouts(deadlines), max: connections, pipeline: true });
  const open = new Set<PoolClient>();
  pool.on('connect', (client) => open.add(client));
  pool.on('remove', (client) => open.delete(client));
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

  /** One statement, by a deadline for all its attempts together. */
  const statement =
    (again: readonly Fault[], milliseconds: number): Ask =>
    (statement, ...values) =>
      counted(() =>
        withDeadline(milliseconds, (deadline) =>
          attempts(again, () => onConnection(pool, deadline, (ask) => ask(statement, ...values)), deadline),
        ),
      );
  const read = statement(['conflict', 'lost'], deadlines.read);

  return {
    deadlines,
    prepare(text, how) {
      prepared += 1;
      return { name: `terse_${prepared}`, text, ...how };
    },
    read: async (statement, ...values) => (values.some(isUnknowable) ? [] : read(statement, ...values)),
    write: statement(['conflict'], deadlines.write),
    keepOpen: counted,
    transaction: (work) =>
      counted(() =>
        withDeadline(deadlines.write, (deadline) =>
          attempts(['conflict'], () => inTransaction(pool, work, deadline), deadline),
        ),
      ),
    async close() {
      while (running > 0) {
        await new Promise<void>((resolve) => {
          settled = resolve;
        });
        // What was asked may be several operations, one after another.
        await setImmediate();
      }
      // A server that says nothing would have it, and the process, wait for ever.
      await Promise.race([pool.end(), sleep(FAREWELL_TIMEOUT, null, { ref: false })]);
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

/** Runs `work` in a transaction; begun and ended with it, and undone where it throws. */
export function inTransaction<Result>(
  pool: Pool,
  work: (ask: Ask) => Promise<Result>,
  deadline: Deadline = NO_DEADLINE,
): Promise<Result> {
  return onConnection(pool, deadline, async (ask, control) => {
    let isUndone = false;
    const begun = control('BEGIN');
    const askWithin: Ask = async (statement, ...values) => {
      if (!statement.changesNothing) await begun;
      // Of two statements that were sent together, the second failed: what follows the first must not come after the rollback.
      if (isUndone) throw new Error('The transaction is over.');
      return ask(statement, ...values);
    };
    try {
      const [result] = await Promise.all([work(askWithin), begun]);
      await control('COMMIT');
      return result;
    } catch (error) {
      isUndone = true;
      if (canGoOn(error)) await control('ROLLBACK');
      throw error;
    }
  });
}

/** Runs `work` on a connection of its own, which goes back to the pool unless it is of no more use. */
async function onConnection<Result>(
  pool: Pool,
  deadline: Deadline,
  work: (ask: Ask, control: (command: string) => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const client = await deadline.connection(pool);
  // Without a listener a connection that breaks between two statements would end the process; the next one tells.
  const ignore = () => {};
  client.on('error', ignore);
  let isBroken = false;
  try {
    return await work(
      async ({ name, text }, ...values) => (await deadline.wait(client.query({ name, text, values }))).rows,
      (command) => deadline.wait(client.query(command)),
    );
  } catch (error) {
    isBroken = !canGoOn(error);
    throw error;
  } finally {
    // The driver would wait for the answers that are due, and keep the connection, and the process, for ever.
    if (isBroken) hangUp(client);
    client.off('error', ignore);
    client.release(isBroken);
  }
}

/** Ends a connection without a word. The types of `pg` leave out what it consists of. */
function hangUp(client: PoolClient): void {
  (client as PoolClient & { connection: { stream: Socket } }).connection.stream.destroy();
}

/** Whether a connection can still be used after an error: it was not lost, and no statement runs on it. */
function canGoOn(error: unknown): boolean {
  return !(error instanceof StoreTimeout) && faultOf(error) !== 'lost';
}
