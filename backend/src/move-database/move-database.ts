import { randomBytes } from 'node:crypto';
import sql, { raw } from 'sql-template-tag';
import { countClicks } from '../clicks/count-clicks.ts';
import {
  type AppliedStep,
  FORGET_VISITORS,
  isMovedAway,
  MOVED_AWAY,
  MOVED_HERE,
  movedAway,
  newestOf,
  newestStep,
  refuseUnpublishedVersion,
  UNFINISHED_MOVE,
} from '../store/migrations/all-migrations.ts';
import { type DatabaseAddress, hasTables, nameOf, openStore, printDatabase } from '../store/open-store.ts';
import { isConflict, isLost } from '../store/postgres/postgres-errors.ts';
import { StoreError, StoreUnavailable } from '../store/store-errors.ts';
import { compareTable, copyTable, type Report } from './copy-and-compare.ts';
import { openPostgres } from './postgres-database.ts';
import { openSqlite } from './sqlite-database.ts';
import { type MoveDatabase, movedTables, type Table, WAITING_CLICKS } from './tables-and-rows.ts';

/** Arguments of the command that moves all data to another database. Each database can be SQLite or PostgreSQL. */
export interface Move {
  from: DatabaseAddress;
  to: DatabaseAddress;
  now: number;
  printLine(line: string): void;
}

const PROGRESS_INTERVAL = 2000;

/**
 * Moves all data to an empty database. If a move was interrupted, the same command completes it, or copies all rows
 * again.
 *
 * @returns number of rows, or null if an earlier run had already copied all rows
 * @throws StoreError if the old database is in use, the new database is not empty, or the rows of the databases
 * differ
 */
export async function move(options: Move): Promise<number | null> {
  try {
    return await openBoth(options);
  } catch (error) {
    const cause = (error instanceof StoreUnavailable ? error.cause : error) as Error & { code?: string };
    // An error that comes neither from a database nor from the operating system is a bug, so the error is thrown
    // unchanged.
    if (error instanceof StoreError || (cause.code === undefined && !isConflict(cause) && !isLost(cause))) throw error;
    const { message } = cause;
    throw new StoreError(`The move was interrupted: ${message}. Run the same command again to continue.`, {
      cause: error,
    });
  }
}

async function openBoth(options: Move): Promise<number | null> {
  const { from, to } = options;
  if (nameOf(from) === nameOf(to)) throw new StoreError('FROM and TO are the same database. Nothing was changed.');
  // Opening a SQLite database that does not exist would create it.
  if (!(await hasTables(from))) throw new StoreError(`There is no database of Terse at ${nameOf(from)}.`);
  const isNew = !(await hasTables(to));
  const source = await open(from);
  try {
    const steps = await stepsOf(source);
    const isMoved = isMovedAway(steps);
    if (isMoved && isNew) throw movedAway();
    if (!isMoved) await lockSource(source, steps, options);
    const target = await open(to);
    try {
      const tables = movedTables();
      if (isMoved) await requireCopy(steps, target);
      const rows = isMoved ? null : await copyAndMark(source, target, tables, options);
      await target.execute(`DROP TABLE IF EXISTS ${UNFINISHED_MOVE}`);
      // Collects the statistics that the query planner needs for fast queries.
      for (const { name } of tables) await target.execute(`ANALYZE ${name}`);
      return rows;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function open(address: DatabaseAddress): Promise<MoveDatabase> {
  return address.engine === 'sqlite' ? openSqlite(address.path) : openPostgres(address.url);
}

interface Step extends AppliedStep {
  name: string;
}

async function stepsOf({ run, tableNames }: MoveDatabase): Promise<Step[]> {
  return (await tableNames()).includes('migrations') ? run(sql`SELECT * FROM migrations`) : [];
}

/** Counts all waiting clicks, because they are not copied, and locks the database against writes. */
async function lockSource(source: MoveDatabase, steps: readonly Step[], { from, now, printLine }: Move): Promise<void> {
  requireNewest(steps);
  const tables = [...movedTables().map(({ name }) => name), WAITING_CLICKS];
  await source.lock(tables);
  await source.execute('ROLLBACK');
  const store = await openStore(from, now);
  try {
    await countClicks(store.clicks, (clicks) =>
      printLine(`${clicks} clicks on links that no longer exist are not counted`),
    );
  } finally {
    await store.close();
  }
  await source.lock(tables);
  const waiting = await source.run(sql`SELECT id FROM ${raw(WAITING_CLICKS)} LIMIT 1`);
  if (waiting.length > 0) {
    throw new StoreError('A process still adds clicks to the database to move. Stop it, and run "move" again.');
  }
}

/** Rejects a database of another Terse version, because its tables may be different. */
function requireNewest(steps: readonly Step[]): void {
  refuseUnpublishedVersion(steps);
  const version = newestOf(steps);
  const newest = newestStep();
  if (version === newest) return;
  const versions = `The database to move has version ${version}, but this version of Terse can move only version ${newest}.`;
  if (version > newest) throw new StoreError(`${versions} Move it with the newer version of Terse that used it last.`);
  throw new StoreError(`${versions} Start "serve" with this version once, stop it, and run "move" again.`);
}

/**
 * Checks that the move to this database was the one that marked the old database as moved.
 *
 * @param steps rows of the table `migrations` in the old database
 * @throws StoreError if the database contains something else
 */
async function requireCopy(steps: readonly Step[], target: MoveDatabase): Promise<void> {
  const copied = await stepsOf(target);
  const moved = steps.find(({ id }) => id === MOVED_AWAY);
  if (!isMovedAway(copied) && copied.some(({ id, name }) => id === MOVED_HERE && name === moved?.name)) return;
  throw new StoreError(`${movedAway().message} The database given as TO is not the one to which it was moved.`);
}

/**
 * Copies and compares all rows, then marks the old database as moved. The new database is changed in a single
 * transaction. Until its table `unfinished_move` is deleted, only a move can use it, so no row of a user can be lost
 * when the rows of an earlier run are deleted.
 *
 * @returns number of rows
 */
async function copyAndMark(
  source: MoveDatabase,
  target: MoveDatabase,
  tables: readonly Table[],
  { to, now, printLine }: Move,
): Promise<number> {
  await markUnfinished(target, tables, to);
  await target.createTables(now);
  const names = tables.map(({ name }) => name);
  await target.lock(names);
  for (const name of names.toReversed()) await target.execute(`DELETE FROM ${name}`);
  let replaced = 0;
  for (const table of tables) replaced += await copyTable(source, target, table, reporter('copied', printLine));
  if (replaced > 0) {
    const where = replaced === 1 ? '1 row' : `${replaced} rows`;
    printLine(`PostgreSQL cannot store NUL characters, so they were replaced with � in ${where}`);
  }
  let rows = 0;
  for (const table of tables) rows += await compareTable(source, target, table, reporter('compared', printLine));

  // The same text in both databases shows a later run that the old database was moved to this one.
  const text = `moved ${randomBytes(8).toString('hex')}`;
  await setMark(target, MOVED_HERE, text, now);
  await target.execute('COMMIT');
  // Nobody would delete the visitor hashes of the old database later. If the move is undone, visitors who return on
  // that day count twice.
  await source.execute(FORGET_VISITORS);
  await setMark(source, MOVED_AWAY, text, now);
  await source.refuseWrites([...names, WAITING_CLICKS]);
  await source.execute('COMMIT');
  return rows;
}

/**
 * Reserves an empty database for this move.
 *
 * @throws StoreError if the database has tables, unless an unfinished move has created them
 */
async function markUnfinished(target: MoveDatabase, tables: readonly Table[], to: DatabaseAddress): Promise<void> {
  const found = await target.tableNames();
  if (found.includes(UNFINISHED_MOVE)) return;
  // A PostgreSQL database can be shared with other programs, but a SQLite file cannot.
  const ours = ['migrations', ...tables.map(({ name }) => name)];
  const obstacle = found.find((name) => to.engine === 'sqlite' || ours.includes(name));
  if (obstacle === undefined) return target.execute(`CREATE TABLE ${UNFINISHED_MOVE} (id INTEGER)`);
  throw new StoreError(
    `The database to move to is not empty: it has a table ${obstacle}. Use a database without tables, or drop its tables.`,
  );
}

async function setMark({ run }: MoveDatabase, id: number, name: string, now: number): Promise<void> {
  await run(sql`DELETE FROM migrations WHERE id = ${id}`);
  await run(sql`INSERT INTO migrations (id, name, applied_at) VALUES (${id}, ${name}, ${now})`);
}

/**
 * Makes a database usable again after it was moved to another database.
 *
 * @throws StoreError if the database does not exist or was not moved
 */
export async function undoMove(address: DatabaseAddress): Promise<void> {
  printDatabase(address);
  if (!(await hasTables(address))) throw new StoreError(`There is no database of Terse at ${nameOf(address)}.`);
  const database = await open(address);
  try {
    if (!isMovedAway(await stepsOf(database))) {
      throw new StoreError('This database was not moved to another one. Nothing was changed.');
    }
    await database.execute('BEGIN');
    await database.allowWrites();
    await database.run(sql`DELETE FROM migrations WHERE id = ${MOVED_AWAY}`);
    await database.execute('COMMIT');
  } finally {
    await database.close();
  }
}

/**
 * Returns a function that prints the progress of each table every two seconds, and once more when the table is
 * complete.
 */
function reporter(verb: string, printLine: Move['printLine']): Report {
  let last = performance.now();
  return ({ name }, done, all) => {
    if (done < all && performance.now() - last < PROGRESS_INTERVAL) return;
    last = performance.now();
    printLine(`${name}: ${done.toLocaleString('en')} of ${all.toLocaleString('en')} rows ${verb}`);
  };
}
