import { accessSync, constants } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { limitSize } from '../../domain/bounded-map.ts';
import { createIndex } from '../migrations/schema-dialect.ts';
import { FOLDED_CODES, findCollisions, refuseCollisions } from '../sql/case-folding.ts';
import type { Run, Statement } from '../sql/sql-runner.ts';
import { createIfMissing, requireOrdinaryFile, requireWritable, unusable } from './database-file.ts';
import { migrate } from './migrate.ts';
import { createWriteLock, createWriteQueue, MAX_TICKS, type WriteLock } from './write-queue.ts';

/** Connection that writes. */
interface Writer {
  transaction<Result>(work: (run: Run) => Promise<Result>): Promise<Result>;
  /** Prepares a statement that transactions of this writer can run. */
  prepare(sql: string): StatementSync;
}

/** A database with one connection for reads and two for writes, so that reads do not see uncommitted data. */
export interface WholeDatabase {
  read: Run;
  transaction: Writer['transaction'];
  /**
   * Writer for clicks. Its commits do not wait for the disk, so a power failure can undo the last of them, but never a
   * part of one.
   */
  clicks: Writer;
  close(): Promise<void>;
}

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
 * Number of bytes of the file to map into memory. This is the maximum that SQLite supports. With a mapped file,
 * looking up an uncached link takes a third less time. The operating system can reclaim the mapped memory at any
 * time.
 */
const MAPPED = 0x7fff0000;

/** Statement that makes SQLite overwrite deleted data in the file. */
const OVERWRITE = 'PRAGMA secure_delete = ON';

/**
 * Opens a database and applies missing migrations. If the file is missing, creates a file that only its owner can
 * access.
 */
export function openDatabase(path: string, now: number, foldsCase = false): WholeDatabase {
  const connection = connect(path);
  try {
    // With `synchronous = FULL`, each commit waits for the disk, so committed data survives a power failure.
    connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000;
      PRAGMA mmap_size = ${MAPPED}; ${OVERWRITE}`);
    migrate(connection, now);
    if (foldsCase) prepareCaseFolding(connection, now);
  } catch (error) {
    connection.close();
    throw unusable(path, error);
  }
  connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  const lock = createWriteLock();
  const writer = openWriter(path, 'FULL', lock);
  const clicks = openWriter(path, 'NORMAL', lock);
  return {
    read: runOn(connection),
    transaction: writer.transaction,
    clicks,
    async close() {
      await clicks.close();
      await writer.close();
      connection.close();
    },
  };
}

/** @param synchronous `FULL` if commits wait for the disk, so that committed data survives a power failure */
function openWriter(
  path: string,
  synchronous: 'FULL' | 'NORMAL',
  lock: WriteLock,
): Writer & { close(): Promise<void> } {
  const connection = openAnotherConnection(path, synchronous);
  // Only commits that wait for the disk gain by waiting for further writes.
  const queue = createWriteQueue(connection, lock, { maxTicks: synchronous === 'FULL' ? MAX_TICKS : 0 });
  const run = runOn(connection);
  return {
    transaction: (work) => queue.run(() => work(run)),
    prepare: (sql) => connection.prepare(sql),
    async close() {
      await queue.settled();
      connection.close();
    },
  };
}

/** Maximum number of prepared statements per connection. */
const MAX_STATEMENTS = 500;

/** Returns a function that runs statements on a connection. Statements with the same text are prepared only once. */
function runOn(connection: DatabaseSync): Run {
  const statements = new Map<string, StatementSync>();
  function prepare(text: string): StatementSync {
    const known = statements.get(text);
    if (known) return known;
    const statement = connection.prepare(text);
    limitSize(statements, MAX_STATEMENTS, text, statement);
    return statement;
  }
  return async <Row>({ sql, values }: Statement) => prepare(sql).all(...(values as SQLInputValue[])) as Row[];
}

function prepareCaseFolding(connection: DatabaseSync, now: number): void {
  const { sql, values } = findCollisions(now);
  refuseCollisions(
    connection.prepare(sql).all(...(values as number[])) as unknown as Parameters<typeof refuseCollisions>[0],
  );
  connection.exec(createIndex(FOLDED_CODES, 'IF NOT EXISTS'));
}

/**
 * Size of SQLite's write-ahead log, in pages, at which SQLite copies the log to the database file. 4000 pages are 16
 * MB. SQLite's default is 1000 pages. Click counting changes the same pages repeatedly, so copying the log less often
 * saves writes.
 */
const LOG_PAGES = 4000;

function openAnotherConnection(path: string, synchronous: 'FULL' | 'NORMAL'): DatabaseSync {
  const connection = open(path);
  connection.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA cache_size = -16000; ${OVERWRITE};
    PRAGMA wal_autocheckpoint = ${LOG_PAGES}; PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  return connection;
}

export function connect(path: string): DatabaseSync {
  requireOrdinaryFile(path);
  requireWritable(path);
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
