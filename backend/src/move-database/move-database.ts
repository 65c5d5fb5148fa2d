import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { countAllJournals } from '../clicks/count-clicks-from-journal.ts';
import { adoptAbandonedJournals } from '../clicks/journal-files.ts';
import { journalDirectoryOf } from '../clicks/start-click-counting.ts';
import type { Config } from '../config/environment.ts';
import { StoreError, StoreUnavailable } from '../store/interface/store.ts';
import { type AppliedStep, newestOf, newestStep } from '../store/migrations/all-migrations.ts';
import { refuseMovedAway } from '../store/migrations/refuse-moved-database.ts';
import { type DatabaseAddress, openStore } from '../store/open-store.ts';
import { faultOf } from '../store/postgres/postgres-errors.ts';
import { stepsIn } from '../store/sqlite/backup-copy.ts';
import { claimDatabase } from '../store/sqlite/database-file.ts';
import { refuseSecondName } from '../store/sqlite/sqlite-connection.ts';
import { compareRows, copyRows, type Report } from './copy-and-compare.ts';
import { postgresSource, refuseServed, stepsAt } from './postgres-source.ts';
import { postgresCopy, postgresTarget } from './postgres-target.ts';
import { MovedBefore, otherState, type Source, type Target } from './source-and-target.ts';
import { sqliteCopy, sqliteSource, sqliteTarget } from './sqlite-source-and-target.ts';
import { movedTables, type Table } from './tables-and-rows.ts';

/** Arguments of the command that moves all data to another database. Each database can be SQLite or PostgreSQL. */
export interface Move {
  from: DatabaseAddress;
  to: DatabaseAddress;
  /** Directory for recorded clicks. If null, the default directory is used. */
  journalDirectory: Config['journalDirectory'];
  now: number;
  tell(line: string): void;
}

const PROGRESS_INTERVAL = 2000;

/**
 * Moves all data to an empty database: copies and compares all rows, then marks the old database as moved. An
 * interrupted move continues if the same command runs again.
 *
 * @returns number of rows; null if an earlier run had copied all rows and only the mark was missing
 * @throws StoreError if the old database is in use, the new database is not empty, or their rows differ
 */
export async function move(asked: Move): Promise<number | null> {
  try {
    return await moveAll(asked);
  } catch (error) {
    const cause = (error instanceof StoreUnavailable ? error.cause : error) as Error & { code?: string };
    // Errors that come neither from a database nor from the operating system are bugs, so they are thrown unchanged.
    if (error instanceof StoreError || (cause.code === undefined && faultOf(cause) === 'other')) throw error;
    const { message } = cause;
    throw new StoreError(`The move was interrupted: ${message}. Run the same command again to continue.`, {
      cause: error,
    });
  }
}

async function moveAll({ from, to, journalDirectory, now, tell }: Move): Promise<number | null> {
  if (isSame(from, to)) throw sameDatabase();
  const release = await hold(from, now);
  try {
    const identity = await settle({ database: from, journalDirectory }, now, tell);
    const tables = movedTables();
    const source = await sourceOf(from, identity, tables);
    try {
      if (to.engine === 'postgres' && (await source.isAt(to.url))) throw sameDatabase();
      return await moveInto(source, to, tables, now, tell);
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
  tell: Move['tell'],
): Promise<number | null> {
  let target: Target;
  try {
    target = await targetOf(to, source.identity, tables, now);
  } catch (error) {
    if (!(error instanceof MovedBefore) || (await source.wasUndone())) throw error;
    await requireSame(source, to, tables, tell);
    await source.leave(tables, now);
    return null;
  }
  try {
    const replaced = await copyRows(source, target, tables, reporter('copied', tell));
    if (replaced > 0)
      tell(`rows whose NUL characters were replaced with �, because PostgreSQL cannot store them: ${replaced}`);
    const rows = await compareRows(source, target, tables, reporter('compared', tell));
    const numbers = new Map<Table, number>();
    for (const table of tables) if (table.isNumbered) numbers.set(table, await source.lastNumber(table));
    await target.finish(numbers);
    // Marks the old database as soon as the new database is usable. In between, a service could use either of them.
    await source.leave(tables, now);
    await target.tidy();
    return rows;
  } finally {
    await target.close();
  }
}

/**
 * Checks that both databases contain the same rows. If the rows differ, the databases were changed after the earlier
 * move, or copied in another way.
 *
 * @throws StoreError if the rows differ
 */
async function requireSame(source: Source, to: DatabaseAddress, tables: Table[], tell: Move['tell']): Promise<void> {
  const copy = to.engine === 'sqlite' ? sqliteCopy(to.path) : await postgresCopy(to.url);
  try {
    const lasting = tables.filter(({ name }) => !SHORT_LIVED.has(name));
    await compareRows(source, copy, lasting, reporter('compared', tell));
  } catch (error) {
    throw error instanceof StoreError ? otherState() : error;
  } finally {
    await copy.close();
  }
}

/**
 * Tables with visitor hashes. They are not compared, because visitor hashes are deleted after one day and may
 * therefore differ.
 */
const SHORT_LIVED = new Set(['visitors', 'visitor_days']);

function sameDatabase(): StoreError {
  return new StoreError('FROM and TO are the same database. Nothing was changed.');
}

/**
 * True if two addresses obviously lead to the same database. If a server has two host names, `isAt` detects this
 * later.
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
async function hold(from: DatabaseAddress, now: number): Promise<() => void> {
  if (from.engine === 'sqlite') {
    if (!existsSync(from.path)) throw new StoreError(`There is no database ${from.path}.`);
    refuseSecondName(from.path);
    requireNewest(stepsIn(from.path));
    return claimDatabase(from.path, now);
  }
  requireNewest(await stepsAt(from.url));
  // Processes that start after this check are detected later, when the tables are locked.
  await refuseServed(from.url);
  return () => {};
}

/**
 * Counts all recorded clicks, so that they are moved with the database.
 *
 * @returns id of the database
 */
async function settle(
  from: Pick<Config, 'database' | 'journalDirectory'>,
  now: number,
  tell: Move['tell'],
): Promise<string> {
  const journals = resolve(journalDirectoryOf(from));
  tell(`uncounted clicks are read from ${journals}${existsSync(journals) ? '' : ', which does not exist'}`);
  const store = await openStore(from.database, now);
  try {
    const identity = await store.clicks.identity(randomBytes(8).toString('hex'));
    adoptAbandonedJournals(from, journals, identity);
    const aside = (file: string) => tell(`a file of clicks cannot be read and was put aside: ${file}`);
    await countAllJournals(store.clicks, journals, identity, aside);
    return identity;
  } finally {
    await store.close();
  }
}

/** Rejects a database of another Terse version, because its tables may be different. */
function requireNewest(steps: readonly AppliedStep[]): void {
  refuseMovedAway(steps);
  if (steps.length === 0) throw new StoreError('The database to move is not a database of Terse.');
  const version = newestOf(steps);
  const newest = newestStep();
  if (version === newest) return;
  const versions = `The database to move is at version ${version}, but this version of Terse moves version ${newest}.`;
  if (version > newest)
    throw new StoreError(`${versions} Move it with the newer version of Terse that served it last.`);
  throw new StoreError(`${versions} Start "serve" with this version once, stop it, and run "move" again.`);
}

function sourceOf(from: DatabaseAddress, identity: string, tables: readonly Table[]): Promise<Source> | Source {
  return from.engine === 'sqlite' ? sqliteSource(from.path, identity) : postgresSource(from.url, identity, tables);
}

async function targetOf(to: DatabaseAddress, identity: string, tables: Table[], now: number): Promise<Target> {
  if (to.engine === 'sqlite') return sqliteTarget(to.path, identity, tables, now);
  return postgresTarget(to.url, identity, tables, now);
}

/** Returns a function that prints the progress of each table: every two seconds, and when the table is complete. */
function reporter(verb: string, tell: Move['tell']): Report {
  let last = performance.now();
  return ({ name }, done, all) => {
    if (done < all && performance.now() - last < PROGRESS_INTERVAL) return;
    last = performance.now();
    tell(`${name}: ${done.toLocaleString('en')} of ${all.toLocaleString('en')} rows ${verb}`);
  };
}
