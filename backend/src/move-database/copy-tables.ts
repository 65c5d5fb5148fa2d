import { DatabaseSync } from 'node:sqlite';
import { migrate } from '../store/sqlite/sqlite-database.ts';
import { StoreError } from '../store/store-errors.ts';
import { type MoveDatabase, ROWS_AT_ONCE, type Row, type Table, type Value } from './open-databases.ts';

/** Tables that are not moved, because they describe the database or its processes and contain no data of the service. */
const NOT_MOVED = new Set(['migrations', 'serving_processes', 'sqlite_sequence', 'click_batches']);

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
  const columns = database
    .prepare('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY pk = 0, pk, cid')
    .all(name);
  return {
    name,
    columns: columns.map((column) => ({ name: String(column.name), type: String(column.type) })),
    keyLength: columns.filter(({ pk }) => Number(pk) > 0).length,
  };
}

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
  const copies = target.rows(table);
  let compared = 0;
  for await (const row of source.rows(table)) {
    const { value: copy } = await copies.next();
    const at = row.findIndex((value, at) => !isSame(value, copy?.[at] as Value));
    if (at >= 0) throw differs(table, row, `has another ${table.columns[at]?.name} or is missing in the new database`);
    compared += 1;
  }
  const { value: more } = await copies.next();
  if (more) throw differs(table, more, 'exists only in the new database');
  return compared;
}

function isSame(one: Value, other: Value): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
  return one === other;
}

/** Describes a difference without showing values, except the primary key. */
function differs({ name, columns, keyLength }: Table, row: Row, difference: string): StoreError {
  const key = columns.slice(0, keyLength).map((column, at) => {
    const value = row[at] as Value;
    return `${column.name} ${value instanceof Uint8Array ? Buffer.from(value).toString('hex') : JSON.stringify(value)}`;
  });
  return new StoreError(
    `The databases differ in the table ${name}: the row ${key.join(', ')} ${difference}. One of the databases may be damaged. Run "move" again to copy all rows again.`,
  );
}
