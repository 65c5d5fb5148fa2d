import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import {
  type AppliedStep,
  FORGET_VISITORS,
  MARKS,
  MIGRATIONS_TABLE,
  movedAway,
} from '../store/migrations/all-migrations.ts';
import { type DatabaseAddress, hasTables, nameOf, openStore } from '../store/open-store.ts';
import { StoreError, StoreUnavailable } from '../store/store-errors.ts';
import { compareTable, copyTable, movedTables } from './copy-tables.ts';
import { type MoveDatabase, openForMove, type Table } from './open-databases.ts';

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
 * @throws StoreError if the old database is in use or was moved, the new database is not empty, or the rows of the
 * databases differ
 */
export async function move(options: Move): Promise<number | null> {
  const { from, to } = options;
  if (nameOf(from) === nameOf(to)) throw new StoreError('FROM and TO are the same database. Nothing was changed.');
  // Opening a SQLite database that does not exist would create it.
  if (!(await hasTables(from))) throw new StoreError(`There is no database of Terse at ${nameOf(from)}.`);
  const isNew = !(await hasTables(to));
  const source = await openForMove(from);
  try {
    return await moveFrom(source, isNew, options);
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

/** @param isNew true if the new database contains no tables of Terse */
async function moveFrom(source: MoveDatabase, isNew: boolean, options: Move): Promise<number | null> {
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
    // Collects the statistics that the query planner needs for fast queries.
    for (const { name } of tables) await target.execute(`ANALYZE ${name}`);
    // From now on, server processes can open the new database.
    await target.run(sql`UPDATE migrations SET id = ${MARKS.movedHere} WHERE id = ${MARKS.copying}`);
    return rows;
  } finally {
    await target.close();
  }
}

async function stepsOf({ run, tableNames }: MoveDatabase): Promise<AppliedStep[]> {
  return (await tableNames()).includes('migrations') ? run(sql`SELECT * FROM migrations`) : [];
}

/** Returns the text of a mark, or null if the database has no such mark. */
function tokenOf(steps: readonly AppliedStep[], mark: number): string | null {
  return steps.find(({ id }) => id === mark)?.name ?? null;
}

/** Throws a StoreError if the data of the old database was moved to another database than this one. */
async function requireCopy(target: MoveDatabase, token: string): Promise<void> {
  const steps = await stepsOf(target);
  const names = [MARKS.copying, MARKS.movedHere].map((mark) => tokenOf(steps, mark));
  if (names.includes(token) && tokenOf(steps, MARKS.movedAway) === null) return;
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
  // No process would delete the visitor hashes of the old database later.
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
