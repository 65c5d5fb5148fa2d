import { accessSync, constants } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import sql, { empty } from 'sql-template-tag';
import type { Clock } from '../../domain/clock-and-random.ts';
import {
  type AppliedStep,
  createIndex,
  missingMigrations,
  UNFINISHED_MOVE,
  unfinishedMove,
} from '../migrations/all-migrations.ts';
import { FOLDED_CODES, refuseCollisions } from '../sql/case-folding.ts';
import type { AddClicks } from '../sql/click-queries.ts';
import type { Run, SharedDatabase, Statement } from '../sql/sql-runner.ts';
import { createStore, type Store } from '../sql/store.ts';
import { createIfMissing, unusable } from './database-file.ts';
import { createWriteQueue } from './write-queue.ts';

/**
 * Maximum wait for a lock while the file is being opened, in milliseconds. The wait blocks the thread, but no
 * requests are handled yet.
 */
const OPENING_TIMEOUT = 5000;
/**
 * Maximum wait for a lock once the file is open, in milliseconds. The wait is short because failed writes are retried
 * later.
 */
const BUSY_TIMEOUT = 1;

/**
 * Size of SQLite's write-ahead log, in pages, at which SQLite copies the log to the database file. 4000 pages are 16
 * MB. SQLite's default is 1000 pages. Click counting changes the same pages repeatedly, so copying the log less often
 * saves writes.
 */
const LOG_PAGES = 4000;

/** Settings of all connections. With `secure_delete`, SQLite overwrites deleted data in the file. */
const SETTINGS = 'PRAGMA cache_size = -16000; PRAGMA secure_delete = ON';

/**
 * Opens a SQLite database and applies missing migrations. If the file is missing, creates a file that only its owner can
 * access. Only one server process may use the file at a time. Short commands, such as `links delete`, may also write to
 * the file.
 */
export async function openSqliteStore(path: string, now: number, clock: Clock, foldsCase: boolean): Promise<Store> {
  const reader = await connectMigrated(path, now, foldsCase);
  // Reads use another connection than writes, so that they do not see uncommitted data.
  const writer = open(path);
  writer.exec(`${SETTINGS}; PRAGMA wal_autocheckpoint = ${LOG_PAGES}; PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  const queue = createWriteQueue(writer);
  const run = runOn(writer);
  const database: SharedDatabase = {
    read: runOn(reader),
    write: (statement) => queue.run('FULL', () => run(statement)),
    transaction: (work) => queue.run('FULL', () => work(run)),
    clickTransaction: (work) => queue.run('NORMAL', () => work(run)),
    rowLock: empty,
    now: async () => clock(),
    jsonRows: (rows) => sql`json_each(${JSON.stringify(rows)})`,
    lockCounting: async () => {},
    tryLockCounting: async () => true,
    lockCodes: async () => {},
    foldsCase,
  };
  return {
    ...createStore(database, addClicks(database)),
    servingProcesses: null,
    async close() {
      await queue.settled();
      writer.close();
      reader.close();
    },
  };
}

/**
 * Returns a function that stores clicks. The batch number is not needed, because a commit on this computer never loses
 * its response.
 */
function addClicks({ clickTransaction }: SharedDatabase): AddClicks {
  const { sql: text } = sql`INSERT INTO waiting_clicks
    (link_id, at, visitor, bot, browser, system, device, referrer, country)
    VALUES (${0}, ${0}, ${0}, ${0}, ${''}, ${''}, ${''}, ${''}, ${''})`;
  return ({ clicks }) =>
    clickTransaction(async (run) => {
      for (const { link, at, visitor, bot, browser, system, device, referrer, country } of clicks) {
        const values = [link, at, visitor, Number(bot), browser, system, device, referrer, country];
        await run({ sql: text, text, values });
      }
    });
}

/** Maximum number of prepared statements per connection. */
const MAX_STATEMENTS = 500;

/** Returns a function that runs statements on a connection. Statements with the same text are prepared only once. */
function runOn(connection: DatabaseSync): Run {
  const statements = new LRUCache<string, StatementSync>({
    max: MAX_STATEMENTS,
    memoMethod: (text) => connection.prepare(text),
  });
  return async <Row>({ sql, values }: Statement) => statements.memo(sql).all(...(values as SQLInputValue[])) as Row[];
}

/** Opens a connection for reads, after applying missing migrations. */
async function connectMigrated(path: string, now: number, foldsCase: boolean): Promise<DatabaseSync> {
  const connection = connect(path);
  try {
    connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${SETTINGS}`);
    migrate(connection, now);
    if (foldsCase) {
      await refuseCollisions(runOn(connection), now);
      connection.exec(createIndex(FOLDED_CODES, 'IF NOT EXISTS'));
    }
    connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
    return connection;
  } catch (error) {
    connection.close();
    throw unusable(path, error);
  }
}

/** Opens a connection. If the file is missing, creates a file that only its owner can access. */
export function connect(path: string): DatabaseSync {
  createIfMissing(path);
  return open(path);
}

/**
 * Opens an existing file. Without the access check, SQLite would create an empty database if the file were missing.
 */
function open(path: string): DatabaseSync {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return openFile(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Opens a connection that stores temporary data in memory, because containers may not have a writable folder. */
export function openFile(path: string, options: { readOnly?: boolean } = {}): DatabaseSync {
  const connection = new DatabaseSync(path, { ...options, timeout: OPENING_TIMEOUT });
  connection.exec('PRAGMA temp_store = MEMORY');
  return connection;
}

/**
 * Applies all missing migrations in one transaction.
 *
 * @throws StoreError if the database cannot be used, for example because copying data to it was interrupted
 */
function migrate(connection: DatabaseSync, now: number): void {
  const unfinished = connection.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(UNFINISHED_MOVE);
  if (unfinished) throw unfinishedMove();
  applySteps(connection, now);
}

/** Applies missing migrations. Unlike `migrate`, also accepts a database to which data is still being moved. */
export function applySteps(connection: DatabaseSync, now: number): void {
  // BEGIN IMMEDIATE prevents two processes from applying the same migration.
  connection.exec('BEGIN IMMEDIATE');
  try {
    connection.exec(
      'CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL, oldest INTEGER) STRICT',
    );
    for (const { id, name, oldest, indexes, statements } of missingMigrations(appliedSteps(connection))) {
      // SQLite always blocks other writers while it creates an index, so no separate transaction is needed.
      for (const index of indexes ?? []) connection.exec(createIndex(index, 'IF NOT EXISTS'));
      connection.exec(statements);
      connection
        .prepare('INSERT INTO migrations (id, name, applied_at, oldest) VALUES (?, ?, ?, ?)')
        .run(id, name, now, oldest ?? null);
    }
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** Returns the migrations that were applied to a database. The table `migrations` must exist. */
export function appliedSteps(connection: DatabaseSync): AppliedStep[] {
  return connection.prepare('SELECT * FROM migrations').all() as unknown as AppliedStep[];
}
