import { randomBytes } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { countAllJournals } from '../clicks/count-clicks-from-journal.ts';
import { adoptAbandonedJournals } from '../clicks/journal-files.ts';
import { journalDirectoryOf } from '../clicks/start-click-counting.ts';
import type { Config } from '../config/environment.ts';
import { StoreError, StoreUnavailable } from '../store/interface/store.ts';
import { type AppliedStep, NEWEST_STEP, newestOf } from '../store/migrations/all-migrations.ts';
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

/** A move from one database to another, whichever engine each is. */
export interface Move {
  from: DatabaseAddress;
  to: DatabaseAddress;
  /** Where clicks wait to be counted, unless beside the database. */
  journalDirectory: Config['journalDirectory'];
  now: number;
  /** Shows how far it is. */
  tell(line: string): void;
}

/** Progress is shown so often, in milliseconds. */
const TELL_EVERY = 2000;

/**
 * Moves everything into an empty database, then reads both again and compares them row by row, and at last marks the first as
 * moved away. Killed at any moment it goes on where it was when it is run again.
 *
 * @returns how many rows were moved; null where a move that was cut off at its end had moved them all, and only the mark was
 * missing
 * @throws StoreError where the first is served, the second is not empty, or they differ in the end
 */
export async function move(asked: Move): Promise<number | null> {
  try {
    return await moveAll(asked);
  } catch (error) {
    const cause = (error instanceof StoreUnavailable ? error.cause : error) as Error & { code?: string };
    // What neither an engine nor the system says is a mistake of the program's own.
    if (error instanceof StoreError || (cause.code === undefined && faultOf(cause) === 'other')) throw error;
    const { message } = cause;
    throw new StoreError(`The move was cut off: ${message}. Run the same command again, and it goes on where it was.`, {
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
      tell(`rows with a NUL in a text, which PostgreSQL cannot hold and where there is a � now: ${replaced}`);
    const rows = await compareRows(source, target, tables, reporter('compared', tell));
    const numbers = new Map<Table, number>();
    for (const table of tables) if (table.isNumbered) numbers.set(table, await source.lastNumber(table));
    await target.finish(numbers);
    // Nothing in between: as long as it is not marked, both databases can be served.
    await source.leave(tables, now);
    await target.tidy();
    return rows;
  } finally {
    await target.close();
  }
}

/** A copy that was made otherwise holds the database as it was at another time. @throws StoreError where it does */
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

/** What tells visitors apart, which either database may have forgotten meanwhile. */
const SHORT_LIVED = new Set(['visitors', 'visitor_days']);

function sameDatabase(): StoreError {
  return new StoreError('FROM and TO are the same database. Nothing was done.');
}

/** Whether two addresses name one database, as far as that shows: a server can be called by several names, which it is asked for later. */
function isSame(one: DatabaseAddress, other: DatabaseAddress): boolean {
  if (one.engine === 'postgres') return other.engine === 'postgres' && one.url === other.url;
  if (other.engine === 'postgres') return false;
  return [one.path, other.path].every(existsSync) && realpathSync(one.path) === realpathSync(other.path);
}

/** Keeps a SQLite file from being served. @returns lets it go again */
async function hold(from: DatabaseAddress, now: number): Promise<() => void> {
  if (from.engine === 'sqlite') {
    if (!existsSync(from.path)) throw new StoreError(`There is no database ${from.path}.`);
    refuseSecondName(from.path);
    requireNewest(stepsIn(from.path));
    return claimDatabase(from.path, now);
  }
  requireNewest(await stepsAt(from.url));
  // Who begins to serve from here on is met when the tables are locked.
  await refuseServed(from.url);
  return () => {};
}

/** Counts the clicks that wait, which belong to this database. @returns what tells it from every other */
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

/** A database of another version has other tables. */
function requireNewest(steps: readonly AppliedStep[]): void {
  refuseMovedAway(steps);
  if (steps.length === 0) throw new StoreError('The database to move is no database of Terse.');
  const version = newestOf(steps);
  if (version === NEWEST_STEP) return;
  const versions = `The database to move is at version ${version}, and this program moves version ${NEWEST_STEP}.`;
  if (version > NEWEST_STEP) throw new StoreError(`${versions} Move it with the newer program that served it last.`);
  throw new StoreError(`${versions} Serve it once with this program, stop that, and move then.`);
}

function sourceOf(from: DatabaseAddress, identity: string, tables: readonly Table[]): Promise<Source> | Source {
  return from.engine === 'sqlite' ? sqliteSource(from.path, identity) : postgresSource(from.url, identity, tables);
}

async function targetOf(to: DatabaseAddress, identity: string, tables: Table[], now: number): Promise<Target> {
  if (to.engine === 'sqlite') return sqliteTarget(to.path, identity, tables, now);
  return postgresTarget(to.url, identity, tables, now);
}

/** A line for each table that is done, and in between one every few seconds. */
function reporter(verb: string, tell: Move['tell']): Report {
  let last = performance.now();
  return ({ name }, done, all) => {
    if (done < all && performance.now() - last < TELL_EVERY) return;
    last = performance.now();
    tell(`${name}: ${done.toLocaleString('en')} of ${all.toLocaleString('en')} rows ${verb}`);
  };
}
