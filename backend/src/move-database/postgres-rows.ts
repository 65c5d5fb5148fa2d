import { escapeLiteral, type PoolClient } from 'pg';
import { UNFINISHED_MOVE } from '../store/migrations/refuse-moved-database.ts';
import { createPool } from '../store/postgres/connection-pool.ts';
import { reasonOf } from '../store/postgres/postgres-errors.ts';
import type { Run as StoreRun } from '../store/sql/sql-runner.ts';
import { StoreError } from '../store/store-errors.ts';
import type { Readable } from './source-and-target.ts';
import type { Column, ColumnType, Row, Table, Value } from './tables-and-rows.ts';

export type Run = <Row>(text: string, ...values: unknown[]) => Promise<Row[]>;

/** Adapts the function to the statements of the store. */
export function forStore(run: Run): StoreRun {
  return ({ text, values }) => run(text, ...values);
}

/**
 * Number of rows to fetch at once. The number is small, because a single row can take up several hundred kilobytes.
 */
const FETCHED = 500;

/**
 * Creates functions that read rows from a PostgreSQL database.
 *
 * @param isInTransaction true if a transaction is already open; if false, each read opens a transaction, because
 * cursors require one
 */
export function readable(run: Run, isInTransaction: boolean): Readable {
  async function* rows(table: Table, after: Row | null): AsyncGenerator<Row> {
    const key = table.key.map((at) => byBytes(table.columns[at] as Column));
    const from = after === null ? '' : `WHERE (${key.join(', ')}) > (${after.map(literal).join(', ')})`;
    const columns = table.columns.map(({ name }) => name).join(', ');
    if (!isInTransaction) await run('BEGIN');
    try {
      await run(
        `DECLARE moved NO SCROLL CURSOR FOR SELECT ${columns} FROM ${table.name} ${from} ORDER BY ${key.join(', ')}`,
      );
      for (;;) {
        const fetched = await run<Record<string, Value>>(`FETCH ${FETCHED} FROM moved`);
        for (const row of fetched) yield table.columns.map(({ name }) => row[name] as Value);
        if (fetched.length < FETCHED) return;
      }
    } finally {
      // Ignores errors, because the cursor and the transaction may no longer exist after an earlier error.
      await run(isInTransaction ? 'CLOSE moved' : 'COMMIT').catch(() => {});
    }
  }

  return {
    async count({ name }) {
      const [row] = await run<{ rows: number }>(`SELECT count(*) AS rows FROM ${name}`);
      return row?.rows ?? 0;
    },
    rows,
    async lastNumber({ name }) {
      const sequence = await sequenceOf(run, name);
      const [row] = await run<{ last: number; used: boolean }>(
        `SELECT last_value AS last, is_called AS used FROM ${sequence}`,
      );
      return row?.used ? row.last : 0;
    },
    isUnfinished: () => tableExists(run, UNFINISHED_MOVE),
  };
}

export async function sequenceOf(run: Run, table: string): Promise<string> {
  const [row] = await run<{ name: string }>("SELECT pg_get_serial_sequence($1, 'id') AS name", table);
  return row?.name as string;
}

const TYPES: Record<ColumnType, string> = {
  integer: 'bigint',
  real: 'double precision',
  text: 'text',
  bytes: 'bytea',
};

export function insertInto({ name, columns }: Table): string {
  const arrays = columns.map(({ type }, at) => `$${at + 1}::${TYPES[type]}[]`);
  return `INSERT INTO ${name} (${columns.map((column) => column.name).join(', ')})
    SELECT * FROM unnest(${arrays.join(', ')})`;
}

/** Returns an SQL expression to sort by a column. Text is sorted by its bytes, as in SQLite. */
function byBytes({ name, type }: Column): string {
  return type === 'text' ? `${name} COLLATE "C"` : name;
}

function literal(value: Value): string {
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'::bytea`;
  return typeof value === 'string' ? escapeLiteral(value) : String(value);
}

const NUL = '\0';

function hasNul(value: Value): boolean {
  return typeof value === 'string' && value.includes(NUL);
}

/**
 * Replaces NUL characters, because PostgreSQL cannot store them.
 *
 * @throws StoreError if the primary key contains a NUL character
 */
function withoutNul(table: Table, at: number, value: Value): Value {
  if (!hasNul(value)) return value;
  if (table.key.includes(at)) {
    throw new StoreError(
      `A row of ${table.name} has a NUL character in ${table.columns[at]?.name}, which PostgreSQL cannot store.`,
    );
  }
  return String(value).replaceAll(NUL, '\uFFFD');
}

/** Replaces characters that PostgreSQL cannot store. If there are none, returns the same array. */
export function storableRow(table: Table, row: Row): Row {
  return row.some(hasNul) ? row.map((value, at) => withoutNul(table, at, value)) : row;
}

/** Disables the timeouts of PostgreSQL, because a move can take hours. */
const UNBOUNDED = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
  SET default_transaction_isolation = 'read committed'`;

/** Opens a single connection instead of a pool, because cursors and transactions belong to one connection. */
export async function connect(url: string): Promise<{ run: Run; close(): Promise<void> }> {
  const pool = createPool(url, { max: 1, application_name: 'terse move' });
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    await pool.end();
    throw new StoreError(`The PostgreSQL database cannot be opened: ${reasonOf(error)}.`, { cause: error });
  }
  await client.query(UNBOUNDED);
  return {
    run: async (text, ...values) => (await client.query(text, values)).rows,
    async close() {
      client.release(true);
      await pool.end();
    },
  };
}

export type Transaction = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function transactionsOn(run: Run): Transaction {
  return async (work) => {
    await run('BEGIN');
    try {
      const result = await work();
      await run('COMMIT');
      return result;
    } catch (error) {
      await run('ROLLBACK').catch(() => {});
      throw error;
    }
  };
}

export async function tableExists(run: Run, table: string): Promise<boolean> {
  return (await run<{ at: string | null }>('SELECT to_regclass($1)::text AS at', table))[0]?.at != null;
}
