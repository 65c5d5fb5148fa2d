import { accessSync, closeSync, constants, openSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { makeFolder } from '../../files/atomic-file.ts';
import { StoreError } from '../interface/store.ts';
import type { LendableWriteLock, WriteLock } from '../interface/write-lock.ts';
import { createGroupCommits } from './group-commits.ts';
import { migrate } from './migrate.ts';
import { createTransactions, type Transactions } from './transactions.ts';

/** A connection to a SQLite file with prepared statements and grouped writes. */
export interface Database {
  prepare(sql: string): StatementSync;
  /** Runs an operation in the next group commit. Resolves when the data is on disk. */
  write<Result>(operation: () => Result): Promise<Result>;
  close(): Promise<void>;
}

/** The connection of the main thread, which also supports transactions of several statements. */
export interface WholeDatabase extends Database {
  transactions: Transactions;
}

/**
 * Maximum wait for a lock while the file is opened, in milliseconds. It blocks the thread, which handles no requests
 * yet.
 */
const OPENING_TIMEOUT = 5000;
/** Maximum wait for a lock afterwards, in milliseconds. A locked write is tried again later. */
const BUSY_TIMEOUT = 1;

/**
 * Number of bytes that are memory-mapped: the maximum that SQLite allows. It makes looking up an uncached link a
 * third cheaper. The system can take the memory back at any time, although it counts in the process's resident size.
 */
const MAPPED = 0x7fff0000;

/** Overwrites deleted data in the file. */
const OVERWRITE = 'PRAGMA secure_delete = ON';

/** Opens a database and migrates its schema. If the file does not exist, creates it, readable only by its owner. */
export function openDatabase(path: string, now: number, writeLock: LendableWriteLock): WholeDatabase {
  const connection = connect(path);
  try {
    // `synchronous = FULL` makes each commit wait for the disk, so that an answered write survives a power cut.
    connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000;
      PRAGMA mmap_size = ${MAPPED}; ${OVERWRITE}`);
    migrate(connection, now);
  } catch (error) {
    connection.close();
    throw unusable(path, error);
  }
  const first = database(connection, writeLock);
  const transactions = createTransactions(openAnotherConnection(path, 'FULL'), writeLock);
  return {
    ...first,
    transactions,
    async close() {
      await transactions.close();
      await first.close();
    },
  };
}

/**
 * Number of WAL pages before the counting thread checkpoints: 16 MB. Counting rewrites the same pages, so a longer
 * WAL saves most of the copying that the default of 1000 pages causes.
 */
const COUNTED_PAGES = 4000;

/**
 * Opens a second connection for another thread. Its commits survive a killed process. They survive a power cut only
 * after the first connection has committed.
 */
export function joinDatabase(path: string, writeLock: WriteLock): Database {
  const connection = openAnotherConnection(path, 'NORMAL');
  connection.exec(`PRAGMA wal_autocheckpoint = ${COUNTED_PAGES}; PRAGMA mmap_size = ${MAPPED}`);
  return database(connection, writeLock);
}

/** Opens another connection to an open database. */
function openAnotherConnection(path: string, synchronous: 'FULL' | 'NORMAL'): DatabaseSync {
  const connection = open(path);
  connection.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA cache_size = -4000; ${OVERWRITE};
    PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  return connection;
}

function database(connection: DatabaseSync, writeLock: WriteLock): Database {
  connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
  const commits = createGroupCommits(connection, writeLock);

  return {
    prepare: (sql) => connection.prepare(sql),
    write: commits.write,
    async close() {
      await commits.settled();
      connection.close();
    },
  };
}

/**
 * Opens the first connection to a file and creates the file if it is missing.
 *
 * @throws StoreError if it cannot be opened
 */
export function connect(path: string): DatabaseSync {
  refuseHardLinks(path);
  createIfMissing(path);
  return open(path);
}

/**
 * Refuses a file with hard links. SQLite's WAL file has the name of the database, so writes through another name
 * could be lost (https://www.sqlite.org/howtocorrupt.html, section 2.5).
 *
 * @throws StoreError if the file has several names
 */
export function refuseHardLinks(path: string): void {
  const file = statusOf(path);
  if (!file?.isFile() || file.nlink <= 1) return;
  throw new StoreError(
    `The database ${path} has ${file.nlink} names (hard links). Writes made under one name are invisible under the others and can be lost. Delete all names but one.`,
  );
}

/**
 * Returns undefined if the file does not exist.
 *
 * @throws StoreError if that cannot be determined
 */
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unusable(path, error);
  }
}

function createIfMissing(path: string): void {
  try {
    makeFolder(dirname(path));
    // An existing file must not be opened here: closing it would release SQLite's locks on it.
    if (!statusOf(path)) closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Opens an existing file. Without the check, SQLite would create an empty database if the file was moved away. */
function open(path: string): DatabaseSync {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return openFile(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Opens a connection that keeps temporary data in memory, because a container may have no writable folder. */
export function openFile(path: string, options: { readOnly?: boolean } = {}): DatabaseSync {
  const connection = new DatabaseSync(path, { ...options, timeout: OPENING_TIMEOUT });
  connection.exec('PRAGMA temp_store = MEMORY');
  return connection;
}

/** Turns an error into a message for the operator. Returns a StoreError unchanged. */
export function unusable(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError(`The database ${path} cannot be opened: ${(error as Error).message}.`, { cause: error });
}
