import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import sql, { empty } from 'sql-template-tag';
import type { Clock } from '../../domain/clock-and-random.ts';
import {
  type AppliedStep,
  createIndex,
  MARKS,
  MIGRATIONS,
  MIGRATIONS_TABLE,
  missingMigrations,
} from '../migrations/all-migrations.ts';
import type { Database, Run, Statement } from '../sql/database.ts';
import { refuseCapitalLetters } from '../sql/link-queries.ts';
import { createIfMissing, openFile, unusable } from './database-file.ts';
import { createWriteQueue, reportedAs } from './write-queue.ts';

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
const SETTINGS = `PRAGMA cache_size = -16000; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = ${LOG_PAGES}`;

/**
 * Opens a SQLite database and applies missing migrations. If the file is missing, creates a file that only its owner can
 * access. Only one server process may use the file at a time. Short commands, such as `links delete`, may also write to
 * the file.
 */
export async function openSqliteDatabase(
  path: string,
  now: number,
  clock: Clock,
  foldsCase: boolean,
): Promise<Database> {
  const writer = connect(path);
  // Reads use another connection than writes, so that they do not see uncommitted data.
  const reader = connect(path);
  try {
    writer.exec('PRAGMA journal_mode = WAL');
    migrate(writer, now);
    if (foldsCase) await refuseCapitalLetters(runOn(writer));
    for (const connection of [writer, reader]) {
      connection.exec(`${SETTINGS}; PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
    }
  } catch (error) {
    writer.close();
    reader.close();
    throw unusable(path, error);
  }
  const queue = createWriteQueue(writer);
  const run = runOn(writer);
  const readOn = runOn(reader);
  return {
    async read<Row>(statement: Statement) {
      try {
        return await readOn<Row>(statement);
      } catch (error) {
        throw reportedAs(error);
      }
    },
    write: (statement) => queue.run('FULL', () => run(statement)),
    transaction: (work) => queue.run('FULL', () => work(run)),
    clickTransaction: (work) => queue.run('NORMAL', () => work(run)),
    rowLock: empty,
    now: async () => clock(),
    jsonRows: (rows) => sql`json_each(${JSON.stringify(rows)})`,
    lock: async () => {},
    async close() {
      await queue.settled();
      writer.close();
      reader.close();
    },
  };
}

/** Maximum number of prepared statements per connection. */
const MAX_STATEMENTS = 500;

/** Returns a function that runs statements on a connection. Statements with the same text are prepared only once. */
export function runOn(connection: DatabaseSync): Run {
  const statements = new LRUCache<string, StatementSync>({
    max: MAX_STATEMENTS,
    memoMethod: (text) => connection.prepare(text),
  });
  return async <Row>({ sql, values }: Statement) => statements.memo(sql).all(...(values as SQLInputValue[])) as Row[];
}

/** Opens a connection. If the file is missing, creates a file that only its owner can access. */
export function connect(path: string): DatabaseSync {
  createIfMissing(path);
  try {
    return openFile(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

/**
 * Applies all missing migrations in one transaction.
 *
 * @param isMoving true for the command `move`, which also accepts a database to which data is being moved
 * @throws StoreError if the database cannot be used, for example because it was moved
 */
export function migrate(connection: DatabaseSync, now: number, isMoving = false): void {
  // BEGIN IMMEDIATE prevents two processes from applying the same migration.
  connection.exec('BEGIN IMMEDIATE');
  try {
    connection.exec(MIGRATIONS_TABLE);
    const applied = connection.prepare('SELECT * FROM migrations').all() as unknown as AppliedStep[];
    const add = connection.prepare('INSERT INTO migrations (id, name, applied_at, oldest) VALUES (?, ?, ?, ?)');
    for (const { id, name, oldest, indexes, statements } of missingMigrations(applied, MIGRATIONS, isMoving)) {
      // SQLite always blocks other writers while it creates an index, so no separate transaction is needed.
      for (const index of indexes ?? []) connection.exec(createIndex(index, 'IF NOT EXISTS'));
      connection.exec(statements);
      add.run(id, name, now, oldest ?? null);
    }
    if (!isMoving) {
      connection.prepare('UPDATE migrations SET applied_at = ? WHERE id = ?').run(now, MARKS.movedHere);
    }
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}
