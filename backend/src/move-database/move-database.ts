import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { countClicks } from '../clicks/count-clicks.ts';
import {
  type AppliedStep,
  newestOf,
  newestStep,
  refuseUnpublishedVersion,
} from '../store/migrations/all-migrations.ts';
import { isMovedAway, movedAway } from '../store/migrations/refuse-moved-database.ts';
import { type DatabaseAddress, openStore } from '../store/open-store.ts';
import { isConflict, isLost } from '../store/postgres/postgres-errors.ts';
import { stepsIn } from '../store/sqlite/backup-copy.ts';
import { claimDatabase, requireOrdinaryFile } from '../store/sqlite/database-file.ts';
import { StoreError, StoreUnavailable } from '../store/store-errors.ts';
import { compareRows, copyRows, type Report } from './copy-and-compare.ts';
import { postgresSource, refuseServed, stepsAt } from './postgres-source.ts';
import { postgresCopy, postgresTarget } from './postgres-target.ts';
import {
  AlreadyMoved,
  type Copy,
  differentCopy,
  type Readable,
  type Source,
  type Target,
} from './source-and-target.ts';
import { sqliteCopy, sqliteSource, sqliteTarget } from './sqlite-source-and-target.ts';
import { movedTables, type Table } from './tables-and-rows.ts';

/** Arguments of the command that moves all data to another database. Each database can be SQLite or PostgreSQL. */
export interface Move {
  from: DatabaseAddress;
  to: DatabaseAddress;
  now: number;
  printLine(line: string): void;
}

const PROGRESS_INTERVAL = 2000;

/**
 * Moves all data to an empty database: copies and compares all rows, then marks the old database as moved. To
 * continue an interrupted move, run the same command again.
 *
 * @returns number of rows, or null if an earlier run had copied all rows but had not marked the old database
 * @throws StoreError if the old database is in use, the new database is not empty, or the rows of the databases
 * differ
 */
export async function move(options: Move): Promise<number | null> {
  try {
    return await moveAll(options);
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

async function moveAll({ from, to, now, printLine }: Move): Promise<number | null> {
  if (isSame(from, to)) throw sameDatabase();
  const steps = await stepsOf(from);
  if (isMovedAway(steps)) return confirmMove(from, to, printLine);
  const release = await lockSource(from, steps);
  try {
    const identity = await countRemainingClicks(from, now, printLine);
    const tables = movedTables();
    const source = await sourceOf(from, identity, tables);
    try {
      if (to.engine === 'postgres' && (await source.isAt(to.url))) throw sameDatabase();
      return await moveInto(source, to, tables, now, printLine);
    } finally {
      await source.close();
    }
  } finally {
    release();
  }
}

async function moveInto(
  source: Source,
  to: DatabaseAddress,
  tables: Table[],
  now: number,
  printLine: Move['printLine'],
): Promise<number | null> {
  let target: Target;
  try {
    target = await targetOf(to, source.identity, tables, now);
  } catch (error) {
    if (!(error instanceof AlreadyMoved) || (await source.wasUndone())) throw error;
    if ((await countEqualRows(source, to, tables, printLine)) === null) throw differentCopy();
    await source.markMovedAway(tables, now);
    return null;
  }
  try {
    const replaced = await copyRows(source, target, tables, reporter('copied', printLine));
    if (replaced > 0)
      printLine(
        `PostgreSQL cannot store NUL characters, so they were replaced with � in ${replaced} ${replaced === 1 ? 'row' : 'rows'}`,
      );
    const rows = await compareRows(source, target, tables, reporter('compared', printLine));
    const numbers = new Map<Table, number>();
    for (const table of tables) if (table.isNumbered) numbers.set(table, await source.lastNumber(table));
    await target.finish(numbers);
    // Marks the old database as moved immediately after the new database becomes usable. Until the mark is set, a
    // service could use either database.
    await source.markMovedAway(tables, now);
    await target.tidy();
    return rows;
  } finally {
    await target.close();
  }
}

/**
 * Confirms a move by comparing both databases, because the old database is already marked as moved.
 *
 * @returns number of rows
 * @throws StoreError if the new database is not a finished copy of the old database
 */
async function confirmMove(from: DatabaseAddress, to: DatabaseAddress, printLine: Move['printLine']): Promise<number> {
  // Also throws if the new database does not exist, because opening it would create it.
  if (newestOf(await stepsOf(to)) !== newestStep()) throw movedAway();
  const tables = movedTables();
  const source = await copyAt(from, tables);
  try {
    const rows = await countEqualRows(source, to, tables, printLine);
    if (rows === null) {
      throw new StoreError(
        `${movedAway().message} The database given as TO is not an equal copy: it was used after the move, or it is a copy of something else.`,
      );
    }
    return rows;
  } finally {
    await source.close();
  }
}

/**
 * Compares all rows with those of a finished copy, and completes the copy. Different rows mean that one database was
 * changed after an earlier move, or that the data was copied in another way.
 *
 * @returns number of rows, or null if the rows differ or the copy is not finished
 */
async function countEqualRows(
  source: Readable,
  to: DatabaseAddress,
  tables: Table[],
  printLine: Move['printLine'],
): Promise<number | null> {
  const copy = await copyAt(to, tables);
  try {
    if (await copy.isUnfinished()) return null;
    const comparedTables = tables.filter(({ name }) => !NOT_COMPARED.has(name));
    const rows = await compareRows(source, copy, comparedTables, reporter('compared', printLine));
    await copy.tidy();
    return rows;
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  } finally {
    await copy.close();
  }
}

async function copyAt(address: DatabaseAddress, tables: Table[]): Promise<Copy> {
  return address.engine === 'sqlite' ? sqliteCopy(address.path) : postgresCopy(address.url, tables);
}

/**
 * Tables with visitor hashes. Their rows can differ between the two databases, because visitor hashes are deleted
 * after one day.
 */
const NOT_COMPARED = new Set(['visitors', 'visitor_days']);

function sameDatabase(): StoreError {
  return new StoreError('FROM and TO are the same database. Nothing was changed.');
}

/**
 * True if both addresses are equal or lead to the same file. If they contain different host names of the same server,
 * `isAt` detects this later.
 */
function isSame(one: DatabaseAddress, other: DatabaseAddress): boolean {
  if (one.engine === 'postgres') return other.engine === 'postgres' && one.url === other.url;
  if (other.engine === 'postgres') return false;
  return [one.path, other.path].every(existsSync) && realpathSync(one.path) === realpathSync(other.path);
}

/**
 * Ensures that no process is using the database. Also locks the file of a SQLite database.
 *
 * @returns function that releases the lock
 */
async function lockSource(from: DatabaseAddress, steps: readonly AppliedStep[]): Promise<() => void> {
  if (from.engine === 'sqlite') {
    if (!existsSync(from.path)) throw new StoreError(`There is no database ${from.path}.`);
    requireNewest(steps);
    return claimDatabase(from.path);
  }
  requireNewest(steps);
  // Processes that start after this check are detected later, when the tables are locked.
  await refuseServed(from.url);
  return () => {};
}

/**
 * Counts all waiting clicks, because the new database gets only their counts.
 *
 * @returns id of the database
 */
async function countRemainingClicks(from: DatabaseAddress, now: number, printLine: Move['printLine']): Promise<string> {
  const store = await openStore(from, now);
  try {
    const identity = await store.clicks.identity(randomBytes(8).toString('hex'));
    await countClicks(store.clicks, (clicks) =>
      printLine(`${clicks} clicks on links that no longer exist are not counted`),
    );
    return identity;
  } finally {
    await store.close();
  }
}

/** Returns the migrations that were applied to a database. The list is empty if there is no database of Terse. */
async function stepsOf(address: DatabaseAddress): Promise<readonly AppliedStep[]> {
  if (address.engine === 'postgres') return stepsAt(address.url);
  requireOrdinaryFile(address.path);
  return existsSync(address.path) ? stepsIn(address.path) : [];
}

/** Rejects a database of another Terse version, because its tables may be different. */
function requireNewest(steps: readonly AppliedStep[]): void {
  if (steps.length === 0) throw new StoreError('The database to move is not a database of Terse.');
  refuseUnpublishedVersion(steps);
  const version = newestOf(steps);
  const newest = newestStep();
  if (version === newest) return;
  const versions = `The database to move has version ${version}, but this version of Terse can move only version ${newest}.`;
  if (version > newest) throw new StoreError(`${versions} Move it with the newer version of Terse that used it last.`);
  throw new StoreError(`${versions} Start "serve" with this version once, stop it, and run "move" again.`);
}

function sourceOf(from: DatabaseAddress, identity: string, tables: readonly Table[]): Promise<Source> | Source {
  return from.engine === 'sqlite' ? sqliteSource(from.path, identity) : postgresSource(from.url, identity, tables);
}

async function targetOf(to: DatabaseAddress, identity: string, tables: Table[], now: number): Promise<Target> {
  if (to.engine === 'sqlite') return sqliteTarget(to.path, identity, tables, now);
  return postgresTarget(to.url, identity, tables, now);
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
