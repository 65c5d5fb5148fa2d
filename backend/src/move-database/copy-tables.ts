import { DatabaseSync } from 'node:sqlite';
import { migrate } from '../store/sqlite/sqlite-database.ts';
import { StoreError } from '../store/store-errors.ts';
import type { MoveDatabase } from './open-databases.ts';

/** A table with the same columns in SQLite and PostgreSQL. */
export interface Table {
  name: string;
  columns: Column[];
  /** Positions of the primary key's columns in `columns`. */
  key: number[];
}

export interface Column {
  name: string;
  /** Type of the column in SQLite. */
  type: string;
}

export type Value = number | string | Uint8Array | null;

export type Row = Value[];

/** Table of the clicks that are not counted yet. */
export const WAITING_CLICKS = 'waiting_clicks';

/**
 * Tables that are not moved, because they describe the database or its processes and contain no data of the service.
 * All waiting clicks are counted before the move.
 */
const NOT_MOVED = new Set(['migrations', 'serving_processes', 'sqlite_sequence', WAITING_CLICKS, 'click_batches']);

/**
 * Returns the tables to move. A table comes after all tables that its foreign keys reference. The list is read from
 * an empty database with all migrations applied.
 */
export function movedTables(): Table[] {
  const database = new DatabaseSync(':memory:');
  try {
    migrate(database, 0);
    // PostgreSQL requires that a table is created after the tables to which its foreign keys refer.
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid").all();
    const names = tables.map(({ name }) => String(name));
    return names.filter((name) => !NOT_MOVED.has(name)).map((name) => tableOf(database, name));
  } finally {
    database.close();
  }
}

function tableOf(database: DatabaseSync, name: string): Table {
  const infos = database.prepare('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid').all(name);
  const columns = infos.map((info) => ({ name: String(info.name), type: String(info.type) }));
  const key = infos
    .map(({ pk }, at) => ({ at, rank: Number(pk) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => one.rank - other.rank)
    .map(({ at }) => at);
  if (key.length === 0) throw new Error(`The table ${name} has no primary key.`);
  return { name, columns, key };
}

/** Number of rows in memory at once. The number is small, because a row can take up several hundred kilobytes. */
export const ROWS_AT_ONCE = 100;

/** Copies all rows of a table. Returns their number. */
export async function copyTable(source: MoveDatabase, target: MoveDatabase, table: Table): Promise<number> {
  let copied = 0;
  let rows: Row[] = [];
  const insert = async () => {
    await target.insert(table, rows);
    copied += rows.length;
    rows = [];
  };
  for await (const row of source.rows(table)) {
    rows.push(row);
    if (rows.length === ROWS_AT_ONCE) await insert();
  }
  if (rows.length > 0) await insert();
  await target.continueIds(table);
  return copied;
}

/**
 * Reads all rows of a table from both databases, in the same order, and compares each value.
 *
 * @returns number of rows
 * @throws StoreError with the primary key of the first row that differs
 */
export async function compareTable(source: MoveDatabase, target: MoveDatabase, table: Table): Promise<number> {
  const copied = target.rows(table);
  let compared = 0;
  for await (const row of source.rows(table)) {
    const { value: found } = await copied.next();
    const difference = differenceOf(table, row, found);
    if (difference) throw differs(table, difference);
    compared += 1;
  }
  const { value: more } = await copied.next();
  if (more) throw differs(table, `${nameOfRow(table, more)} exists only in the new database`);
  return compared;
}

/** Describes the difference between a row and its copy without showing values. Returns null if both rows are equal. */
function differenceOf(table: Table, expected: Row, found: Row | undefined): string | null {
  const name = nameOfRow(table, expected);
  const isDifferent = (at: number) => !isSame(expected[at] as Value, found?.[at] as Value);
  if (table.key.some(isDifferent)) return `${name} is missing or out of order in the new database`;
  const columns = table.columns.filter((_, at) => isDifferent(at));
  return columns.length === 0 ? null : `${name} has a different ${columns.map((column) => column.name).join(', ')}`;
}

function isSame(one: Value, other: Value): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
  return one === other;
}

/** Returns the primary key of a row for error messages, such as `key_id 3, endpoint "/api"`. */
function nameOfRow(table: Table, row: Row): string {
  const parts = table.key.map((at) => {
    const value = row[at] as Value;
    const shown = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : JSON.stringify(value);
    return `${table.columns[at]?.name} ${shown}`;
  });
  return parts.join(', ');
}

function differs({ name }: Table, difference: string): StoreError {
  return new StoreError(
    `The databases differ in the table ${name}: the row ${difference}. One of the databases may be damaged. Run "move" again to copy all rows again.`,
  );
}
