import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import sql from 'sql-template-tag';
import {
  type AppliedStep,
  FORGET_VISITORS,
  MARKS,
  MIGRATIONS_TABLE,
  movedAway,
} from '../store/migrations/all-migrations.ts';
import { type DatabaseAddress, hasTables, nameOf, openStore, printDatabase } from '../store/open-store.ts';
import { migrate } from '../store/sqlite/sqlite-database.ts';
import { StoreError, StoreUnavailable } from '../store/store-errors.ts';
import { type MoveDatabase, openForMove, ROWS_AT_ONCE, type Row, type Table, type Value } from './open-databases.ts';

/** Arguments of the command that moves all data to another database. Each database can be SQLite or PostgreSQL. */
export interface Move {
  from: DatabaseAddress;
  to: DatabaseAddress;
  now: number;
  printLine(line: string): void;
}

/**
 * Prefix of the names of all tables in a database whose data was moved. Because of the new names, even a process that
 * had the database open cannot change the data.
 */
const MOVED_PREFIX = 'moved_';

/**
 * Moves all data to an empty database. If a move was interrupted, the same command completes it, or copies all rows
 * again.
 *
 * @returns number of rows, or null if an earlier run had already copied all rows
 * @throws StoreError if the old database is in use, the new database is not empty, or the rows of the databases
 * differ
 */
export function move(options: Move): Promise<number | null> {
  return withBoth(options, async (source, isNew) => {
    const token = tokenOf(await stepsOf(source), MARKS.movedAway);
    if (token !== null && isNew) throw movedAway();
    const tables = movedTables();
    if (token === null) {
      // Applies missing migrations.
      await (await openStore(options.from, options.now)).close();
      await source.lock(tables.map(({ name }) => name));
    }
    const target = await openForMove(options.to);
    try {
      let rows: number | null = null;
      if (token === null) rows = await copyAndMark(source, target, tables, options);
      else await requireCopy(target, token);
      // From now on, server processes can open the new database.
      await target.run(sql`UPDATE migrations SET id = ${MARKS.movedHere} WHERE id = ${MARKS.copying}`);
      // Collects the statistics that the query planner needs for fast queries.
      for (const { name } of tables) await target.execute(`ANALYZE ${name}`);
      return rows;
    } finally {
      await target.close();
    }
  });
}

/**
 * Opens the database FROM, and checks that it exists and that TO is another database.
 *
 * @param work `isNew` is true if TO contains no tables of Terse
 */
async function withBoth<Result>(
  { from, to }: Pick<Move, 'from' | 'to'>,
  work: (source: MoveDatabase, isNew: boolean) => Promise<Result>,
): Promise<Result> {
  if (nameOf(from) === nameOf(to)) throw new StoreError('FROM and TO are the same database. Nothing was changed.');
  // Opening a SQLite database that does not exist would create it.
  if (!(await hasTables(from))) throw new StoreError(`There is no database of Terse at ${nameOf(from)}.`);
  const isNew = !(await hasTables(to));
  const source = await openForMove(from);
  try {
    return await work(source, isNew);
  } catch (error) {
    const cause = (error instanceof StoreUnavailable ? error.cause : error) as Error & { code?: string };
    // An error without a code comes neither from a database nor from the operating system, so it is a bug.
    if (error instanceof StoreError || cause.code === undefined) throw error;
    throw new StoreError(`The move was interrupted: ${cause.message}. Run the same command again to continue.`, {
      cause: error,
    });
  } finally {
    await source.close();
  }
}

async function stepsOf({ run, tableNames }: MoveDatabase): Promise<AppliedStep[]> {
  return (await tableNames()).includes('migrations') ? run(sql`SELECT * FROM migrations`) : [];
}

/** Returns the text of a mark, or null if the database has no such mark. */
function tokenOf(steps: readonly AppliedStep[], mark: number): string | null {
  return steps.find(({ id }) => id === mark)?.name ?? null;
}

/**
 * Checks that the move to this database was the one that marked the old database as moved.
 *
 * @returns the mark of the database
 * @throws StoreError if the database contains something else
 */
async function requireCopy(target: MoveDatabase, token: string): Promise<AppliedStep> {
  const steps = await stepsOf(target);
  const mark = steps.find(({ id, name }) => name === token && (id === MARKS.copying || id === MARKS.movedHere));
  if (mark && tokenOf(steps, MARKS.movedAway) === null) return mark;
  throw new StoreError(`${movedAway().message} The database given as TO is not the one to which it was moved.`);
}

/**
 * Copies and compares all rows, then marks the old database as moved. Until the new database is opened, only a move can
 * use it, so no row of a user can be lost when the rows of an earlier run are deleted.
 *
 * @returns number of rows
 */
async function copyAndMark(
  source: MoveDatabase,
  target: MoveDatabase,
  tables: readonly Table[],
  { to, now, printLine }: Move,
): Promise<number> {
  await reserve(target, tables, to);
  await target.createTables(now);
  const names = tables.map(({ name }) => name);
  await target.lock(names);
  for (const name of names.toReversed()) await target.execute(`DELETE FROM ${name}`);
  for (const table of tables) {
    const copied = await copyTable(source, target, table);
    printLine(`${table.name}: ${copied.toLocaleString('en')} rows copied`);
  }
  let rows = 0;
  for (const table of tables) rows += await compareTable(source, target, table);

  // The same text in both databases shows a later run that the old database was moved to this one.
  const token = `moved ${randomBytes(8).toString('hex')}`;
  await target.run(sql`UPDATE migrations SET name = ${token} WHERE id = ${MARKS.copying}`);
  await target.execute('COMMIT');
  // No process would delete the visitor hashes of the old database later. If the move is undone, visitors who return on
  // that day count twice.
  await source.execute(FORGET_VISITORS);
  for (const name of names) {
    await source.execute(`ALTER TABLE ${name} RENAME TO ${MOVED_PREFIX}${name}`);
  }
  await source.run(sql`INSERT INTO migrations (id, name, applied_at) VALUES (${MARKS.movedAway}, ${token}, ${now})`);
  await source.execute('COMMIT');
  return rows;
}

/**
 * Reserves an empty database for this move.
 *
 * @throws StoreError if the database has tables, unless an unfinished move has created them
 */
async function reserve(target: MoveDatabase, tables: readonly Table[], to: DatabaseAddress): Promise<void> {
  if (tokenOf(await stepsOf(target), MARKS.copying) !== null) return;
  // A PostgreSQL database can be shared with other programs, but a SQLite file cannot.
  const ours = ['migrations', ...tables.flatMap(({ name }) => [name, MOVED_PREFIX + name])];
  const obstacle = (await target.tableNames()).find((name) => to.engine === 'sqlite' || ours.includes(name));
  if (obstacle !== undefined) {
    throw new StoreError(
      `The database to move to is not empty: it has a table ${obstacle}. Use a database without tables, or drop its tables.`,
    );
  }
  const mark = `INSERT INTO migrations (id, name, applied_at) VALUES (${MARKS.copying}, '', 0)`;
  await target.execute(`BEGIN; ${MIGRATIONS_TABLE} ${mark}; COMMIT`);
}

/**
 * Makes a database usable again after it was moved, and the new database unusable. Both databases are never usable at
 * the same time.
 *
 * @throws StoreError if the database was not moved to the new database, or if the new database was already used
 */
export function undoMove(addresses: Pick<Move, 'from' | 'to'>): Promise<void> {
  printDatabase(addresses.from);
  return withBoth(addresses, async (source, isNew) => {
    const token = tokenOf(await stepsOf(source), MARKS.movedAway);
    if (token === null) throw new StoreError('FROM was not moved to another database. Nothing was changed.');
    if (isNew) throw new StoreError(`There is no database of Terse at ${nameOf(addresses.to)}.`);
    const target = await openForMove(addresses.to);
    try {
      const mark = await requireCopy(target, token);
      if (mark.applied_at > 0) {
        throw new StoreError(
          'TO was already used after the move, so undoing the move would lose data. Nothing was changed. To return to the old database, move the data to an empty database.',
        );
      }
      await target.run(sql`UPDATE migrations SET id = ${MARKS.copying} WHERE id = ${MARKS.movedHere}`);
      await source.execute('BEGIN');
      // Other programs can have tables in the same PostgreSQL database, so the names are not read from there.
      for (const { name } of movedTables()) {
        await source.execute(`ALTER TABLE ${MOVED_PREFIX}${name} RENAME TO ${name}`);
      }
      await source.run(sql`DELETE FROM migrations WHERE id = ${MARKS.movedAway}`);
      await source.execute('COMMIT');
    } finally {
      await target.close();
    }
  });
}

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
async function copyTable(source: MoveDatabase, target: MoveDatabase, table: Table): Promise<number> {
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
async function compareTable(source: MoveDatabase, target: MoveDatabase, table: Table): Promise<number> {
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
