import type { SQLInputValue } from 'node:sqlite';
import type { PoolClient } from 'pg';
import { toPostgres } from '../store/migrations/all-migrations.ts';
import type { DatabaseAddress } from '../store/open-store.ts';
import { cannotOpen, createPool, lockOf } from '../store/postgres/connection-pool.ts';
import {
  describeProcess,
  HEARTBEAT_TIMEOUT,
  liveProcesses,
  migrate as migratePostgres,
  withPool,
} from '../store/postgres/migrate.ts';
import type { Run, Statement } from '../store/sql/database.ts';
import { claimDatabase } from '../store/sqlite/database-file.ts';
import { connect, migrate as migrateSqlite, runOn } from '../store/sqlite/sqlite-database.ts';
import { StoreError } from '../store/store-errors.ts';

/** A table with the same columns in SQLite and PostgreSQL. */
export interface Table {
  name: string;
  /** Columns of the table, with their types in SQLite. The columns of the primary key come first. */
  columns: { name: string; type: string }[];
  keyLength: number;
}

export type Value = number | string | Uint8Array | null;

export type Row = Value[];

/** Number of rows in memory at once. The number is small, because a row can take up several hundred kilobytes. */
export const ROWS_AT_ONCE = 100;

/** The old or the new database of a move, opened with a single connection. Closing it rolls back its transaction. */
export interface MoveDatabase {
  run: Run;
  /** Runs several statements in SQLite's dialect, without values. */
  execute(statements: string): Promise<void>;
  tableNames(): Promise<string[]>;
  createTables(now: number): Promise<void>;
  /**
   * Begins a transaction during which no other process can write to the tables.
   *
   * @throws StoreError if a server process is using the database
   */
  lock(tables: readonly string[]): Promise<void>;
  /** Yields all rows, sorted by primary key. Text values are sorted by their bytes. Requires a transaction. */
  rows(table: Table): AsyncGenerator<Row>;
  insert(table: Table, rows: readonly Row[]): Promise<void>;
  /** Makes new rows of a copied table get higher ids than all copied rows. */
  continueIds(table: Table): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a database, and locks it against other moves and, on SQLite, against server processes. Creates a SQLite file if
 * it is missing.
 *
 * @throws StoreError if the database cannot be opened, or if another process has locked it
 */
export async function openForMove(address: DatabaseAddress): Promise<MoveDatabase> {
  return address.engine === 'sqlite' ? openSqlite(address.path) : openPostgres(address.url);
}

function openSqlite(path: string): MoveDatabase {
  const unclaim = claimDatabase(path);
  const connection = connect(path);
  // `secure_delete` overwrites deleted visitor hashes on the disk.
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA cache_size = -64000');

  return {
    run: runOn(connection),
    execute: async (statements) => connection.exec(statements),
    async tableNames() {
      const tables = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
      return tables.map(({ name }) => String(name));
    },
    createTables: async (now) => migrateSqlite(connection, now, true),
    lock: async () => connection.exec('BEGIN IMMEDIATE'),
    async *rows({ name, columns, keyLength }) {
      const order = listOf(columns.slice(0, keyLength));
      const all = connection.prepare(`SELECT ${listOf(columns)} FROM ${name} ORDER BY ${order}`);
      all.setReturnArrays(true);
      for (const row of all.iterate()) yield row as unknown as Row;
    },
    async insert({ name, columns }, rows) {
      const values = columns.map(() => '?').join(', ');
      const insert = connection.prepare(`INSERT INTO ${name} (${listOf(columns)}) VALUES (${values})`);
      for (const row of rows) insert.run(...(row as SQLInputValue[]));
    },
    // SQLite does this itself.
    continueIds: async () => {},
    async close() {
      connection.close();
      unclaim();
    },
  };
}

function listOf(columns: Table['columns']): string {
  return columns.map(({ name }) => name).join(', ');
}

/** Maximum time to wait for locks of other processes, in milliseconds. After this time, the move fails. */
const LOCK_TIMEOUT = 5000;

/** Error code of PostgreSQL if this time is over. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Disables the timeouts of PostgreSQL, because a move can take hours. */
const UNBOUNDED = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0;
  SET default_transaction_isolation = 'read committed'`;

async function openPostgres(url: string): Promise<MoveDatabase> {
  const pool = createPool(url, { max: 1, application_name: 'terse move' });
  try {
    const client = await pool.connect();
    await client.query(UNBOUNDED);
    // The lock belongs to the connection, so it also ends if this process is killed. PostgreSQL may need some time to
    // notice that the process has ended.
    const lock = `SET lock_timeout = ${LOCK_TIMEOUT}; SELECT pg_advisory_lock(${lockOf('move').sql}); RESET lock_timeout`;
    const isHeld = await client.query(lock).then(
      () => true,
      (error) => (error.code === LOCK_NOT_AVAILABLE ? false : Promise.reject(error)),
    );
    const close = async () => {
      client.release(true);
      await pool.end();
    };
    if (isHeld) return { ...movesOn(client, url), close };
    await close();
  } catch (error) {
    throw cannotOpen(error);
  }
  throw new StoreError('FROM and TO are the same database, or another move is using one of them.');
}

function movesOn(client: PoolClient, url: string): Omit<MoveDatabase, 'close'> {
  const run: Run = async <Found>({ text, values }: Statement) =>
    (await client.query<Found & object>(text, values)).rows;
  const execute = async (statements: string): Promise<void> => void (await client.query(toPostgres(statements)));

  return {
    run,
    execute,
    async tableNames() {
      const { rows } = await client.query('SELECT tablename FROM pg_tables WHERE schemaname = current_schema()');
      return rows.map(({ tablename }) => tablename);
    },
    createTables: (now) => withPool(url, (pool) => migratePostgres(pool, now, undefined, true)),
    async lock(tables) {
      await execute(`BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
      await execute(`LOCK TABLE serving_processes, ${tables.join(', ')} IN SHARE MODE`);
      const [process] = await liveProcesses(run);
      if (!process) return;
      throw new StoreError(
        `The database to move is served by ${describeProcess(process)}. Stop every process that serves it. If it was killed, try again ${HEARTBEAT_TIMEOUT / 1000} seconds after its last heartbeat.`,
      );
    },
    async *rows({ name, columns, keyLength }) {
      // Sorts text by its bytes, as SQLite does.
      const key = columns
        .slice(0, keyLength)
        .map((column) => column.name + (column.type === 'TEXT' ? ' COLLATE "C"' : ''));
      const order = key.join(', ');
      await execute(`DECLARE moved NO SCROLL CURSOR FOR SELECT ${listOf(columns)} FROM ${name} ORDER BY ${order}`);
      for (;;) {
        const { rows } = await client.query({ text: `FETCH ${ROWS_AT_ONCE} FROM moved`, rowMode: 'array' });
        yield* rows as unknown as Row[];
        if (rows.length < ROWS_AT_ONCE) break;
      }
      await execute('CLOSE moved');
    },
    async insert({ name, columns }, rows) {
      const arrays = columns.map(({ type }, at) => `$${at + 1}::${toPostgres(type)}[]`).join(', ');
      const values = columns.map((_, at) => rows.map((row) => row[at]));
      await client.query(`INSERT INTO ${name} (${listOf(columns)}) SELECT * FROM unnest(${arrays})`, values);
    },
    async continueIds({ name, columns }) {
      if (columns[0]?.name !== 'id') return;
      await client.query(
        `SELECT setval(pg_get_serial_sequence('${name}', 'id'), max(id)) FROM ${name} HAVING max(id) > 0`,
      );
    },
  };
}
