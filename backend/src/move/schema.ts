import { DatabaseSync } from 'node:sqlite';
import { applySteps } from '../store/sqlite/migrate.ts';

/** A table of the schema as every engine has it. */
export interface Table {
  name: string;
  columns: Column[];
  /** Where the columns of its primary key are in `columns`, in the key's order. */
  key: number[];
  /** Whether it numbers its rows by itself. */
  isNumbered: boolean;
}

export interface Column {
  name: string;
  type: ColumnType;
}

export type ColumnType = 'integer' | 'real' | 'text' | 'bytes';

/** What stands for the database itself and not for what is in it. */
const NOT_MOVED = new Set(['migrations', 'migration_ranges', 'serving_processes', 'sqlite_sequence']);

const TYPES: Record<string, ColumnType> = { INTEGER: 'integer', REAL: 'real', TEXT: 'text', BLOB: 'bytes' };

/**
 * Every table that is moved, in an order in which nothing refers to what is yet to come. Read from an empty database with all
 * steps of the schema, so that no table and no column can be forgotten here.
 */
export function movedTables(): Table[] {
  const database = new DatabaseSync(':memory:');
  try {
    applySteps(database, 0);
    const all = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    const tables = all
      .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }))
      .filter(({ name }) => !NOT_MOVED.has(name))
      .map(({ name, sql }) => ({ ...tableOf(database, name), isNumbered: sql.includes('AUTOINCREMENT') }));
    return inOrder(tables, (name) => referredTo(database, name));
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
  if (key.length === 0) throw new Error(`The table ${name} has no primary key to go by.`);
  return { name, columns, key };
}

function referredTo(database: DatabaseSync, name: string): string[] {
  const rows = database.prepare('SELECT DISTINCT "table" AS name FROM pragma_foreign_key_list(?)').all(name);
  return rows.map((row) => String(row.name));
}

function inOrder(tables: Table[], needed: (name: string) => string[]): Table[] {
  const ordered: Table[] = [];
  const add = (table: Table): void => {
    if (ordered.includes(table)) return;
    for (const name of needed(table.name)) {
      const other = tables.find((candidate) => candidate.name === name);
      if (other && other !== table) add(other);
    }
    ordered.push(table);
  };
  for (const table of tables) add(table);
  return ordered;
}
