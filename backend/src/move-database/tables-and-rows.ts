import { DatabaseSync } from 'node:sqlite';
import type { Run } from '../store/sql/sql-runner.ts';
import { applySteps } from '../store/sqlite/sqlite-store.ts';

/** A table with the same columns in SQLite and PostgreSQL. */
export interface Table {
  name: string;
  columns: Column[];
  /** Positions of the primary key's columns in `columns`. */
  key: number[];
  /** True if the primary key is auto-incremented. */
  isNumbered: boolean;
}

export interface Column {
  name: string;
  type: ColumnType;
}

export type ColumnType = 'integer' | 'real' | 'text' | 'bytes';

/** Table of the clicks that are not counted yet. */
export const WAITING_CLICKS = 'waiting_clicks';

/**
 * Tables that are not moved, because they describe the database or its processes and contain no data of the service.
 * All waiting clicks are counted before the move.
 */
const NOT_MOVED = new Set(['migrations', 'serving_processes', 'sqlite_sequence', WAITING_CLICKS, 'click_batches']);

const TYPES: Record<string, ColumnType> = { INTEGER: 'integer', REAL: 'real', TEXT: 'text', BLOB: 'bytes' };

/**
 * Returns the tables to move. A table comes after all tables that its foreign keys reference. The list is read from
 * an empty database with all migrations applied.
 */
export function movedTables(): Table[] {
  const database = new DatabaseSync(':memory:');
  try {
    applySteps(database, 0);
    // PostgreSQL requires that a table is created after the tables to which its foreign keys refer.
    const all = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY rowid").all();
    return all
      .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }))
      .filter(({ name }) => !NOT_MOVED.has(name))
      .map(({ name, sql }) => ({ ...tableOf(database, name), isNumbered: sql.includes('AUTOINCREMENT') }));
  } finally {
    database.close();
  }
}

function tableOf(database: DatabaseSync, name: string): Omit<Table, 'isNumbered'> {
  const infos = database.prepare('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid').all(name);
  const columns = infos.map((info) => ({ name: String(info.name), type: TYPES[String(info.type)] as ColumnType }));
  const key = infos
    .map(({ pk }, at) => ({ at, rank: Number(pk) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => one.rank - other.rank)
    .map(({ at }) => at);
  if (key.length === 0) throw new Error(`The table ${name} has no primary key.`);
  return { name, columns, key };
}

export type Value = number | string | Uint8Array | null;

export type Row = Value[];

/** The old or the new database of a move, opened with a single connection. Closing it rolls back its transaction. */
export interface MoveDatabase {
  run: Run;
  /** Runs several statements without values. */
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
  /** Replaces characters that this database cannot store. If there are none, returns the same array. */
  storable(table: Table, row: Row): Row;
  /** Returns the last auto-increment value of a table, or 0 if no value has been used yet. */
  lastNumber(table: Table): Promise<number>;
  setLastNumber(table: Table, last: number): Promise<void>;
  /** Refuses all writes to the tables, even by processes that already have the database open. */
  refuseWrites(tables: readonly string[]): Promise<void>;
  allowWrites(): Promise<void>;
  close(): Promise<void>;
}

/** Maximum size of a group of rows. A group is complete once it reaches one of the two limits. */
export const CHUNK = { rows: 2000, bytes: 4 * 2 ** 20 } as const;

/** Groups rows so that only one group at a time is in memory. */
export async function* inChunks(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let portion: Row[] = [];
  let bytes = 0;
  for await (const row of rows) {
    portion.push(row);
    bytes += sizeOf(row);
    if (portion.length < CHUNK.rows && bytes < CHUNK.bytes) continue;
    yield portion;
    portion = [];
    bytes = 0;
  }
  if (portion.length > 0) yield portion;
}

function sizeOf(row: Row): number {
  return row.reduce<number>((sum, value) => sum + (typeof value === 'number' ? 8 : (value?.length ?? 1)), 0);
}

export function isSame(one: Value, other: Value): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
  return one === other;
}

/** Returns the primary key of a row for error messages, such as `key_id 3, endpoint "/api"`. */
export function nameOfRow(table: Table, row: Row): string {
  const parts = table.key.map((at) => {
    const value = row[at] as Value;
    const shown = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : JSON.stringify(value);
    return `${table.columns[at]?.name} ${shown}`;
  });
  return parts.join(', ');
}
