import { accessSync, closeSync, constants, openSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { makeFolder } from '../../files/atomic-file.ts';
import { StoreError } from '../interface/store.ts';
import type { LendableWriteLock, WriteLock } from '../interface/write-lock.ts';
import { createGroupCommits } from './group-commits.ts';
import { migrate } from './migrate.ts';
import { createTransactions, type Transactions } from './transactions.ts';

/** One SQLite file, ready for prepared statements and grouped writes. */
export interface Database {
  prepare(sql: string): StatementSync;
  /** Runs an operation in the next group commit; resolves once it is on disk. */
  write<Result>(operation: () => Result): Promise<Result>;
  close(): Promise<void>;
}

/** The database as the main thread opens it, with transactions of several statements. */
export interface WholeDatabase extends Database {
  transactions: Transactions;
}

/** How long to sleep while another process holds the file, in milliseconds: only while nobody has to be answered. */
const OPENING_TIMEOUT = 5000;
/** From then on a write that meets a lock is tried again later. */
const BUSY_TIMEOUT = 1;

/**
 * How many bytes of the file are read in the system's page cache instead of being copied from it, which makes looking up
 * a link that is not cached a third cheaper. That memory is the system's, which takes it back when it needs it, though it
 * shows in the process's resident size. This is the most that SQLite allows.
 */
const MAPPED = 0x7fff0000;

/** Overwrites what is deleted, so that no copy of the file holds it. */
const OVERWRITE = 'PRAGMA secure_delete = ON';

/** Opens the file at `path`, making it (readable by its owner alone) where it is missing, and brings its schema up. */
export function openDatabase(path: string, now: number, writeLock: LendableWriteLock): WholeDatabase {
  const connection = connect(path);
  try {
    // An answered write must outlive a power cut, so every commit waits for the disk.
    connection.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000;
      PRAGMA mmap_size = ${MAPPED}; ${OVERWRITE}`);
    migrate(connection, now);
  } catch (error) {
    connection.close();
    throw unusable(path, error);
  }
  const first = database(connection, writeLock);
  const transactions = createTransactions(connectAgain(path, 'FULL'), writeLock);
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
 * Pages of the WAL after which the thread that counts clicks moves them into the file: 16 MB. Counting writes to the same pages
 * again and again, and each is moved once; SQLite's own thousand had most of them moved with every transaction.
 */
const COUNTED_PAGES = 4000;

/**
 * A second connection to a database that is open, for another thread. Its commits outlive the process, and a power cut
 * once the first connection has committed after them.
 */
export function joinDatabase(path: string, writeLock: WriteLock): Database {
  const connection = connectAgain(path, 'NORMAL');
  connection.exec(`PRAGMA wal_autocheckpoint = ${COUNTED_PAGES}; PRAGMA mmap_size = ${MAPPED}`);
  return database(connection, writeLock);
}

/** One more connection to a database that is open. */
function connectAgain(path: string, synchronous: 'FULL' | 'NORMAL'): DatabaseSync {
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

/** The first connection to a file, which is made where it is missing. @throws StoreError */
export function connect(path: string): DatabaseSync {
  refuseSecondName(path);
  makeWhereMissing(path);
  return open(path);
}

/**
 * SQLite keeps what is not yet in the file beside it, under the file's name: by another one it would not be seen, and be
 * lost (https://www.sqlite.org/howtocorrupt.html, section 2.5).
 *
 * @throws StoreError where a file has more names than this one
 */
export function refuseSecondName(path: string): void {
  const file = statusOf(path);
  if (!file?.isFile() || file.nlink <= 1) return;
  throw new StoreError(
    `The database ${path} has ${file.nlink} names (hard links). Writes made by one are not seen by another, and may be lost: delete all of these names but one.`,
  );
}

/** Undefined where nothing is there. @throws StoreError where that cannot be known */
function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unusable(path, error);
  }
}

function makeWhereMissing(path: string): void {
  try {
    makeFolder(dirname(path));
    // A file that is there must not be opened but by SQLite: to close it would give up all locks that this process has on it.
    if (!statusOf(path)) closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Opens a file that is there. Under the name of one that was moved away meanwhile, SQLite would begin an empty database. */
function open(path: string): DatabaseSync {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return openFile(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

/** Opens a connection that needs no folder for temporary files: in a container there may be none that is writable. */
export function openFile(path: string, options: { readOnly?: boolean } = {}): DatabaseSync {
  const connection = new DatabaseSync(path, { ...options, timeout: OPENING_TIMEOUT });
  connection.exec('PRAGMA temp_store = MEMORY');
  return connection;
}

/** What goes wrong with a file, as a sentence for the operator; what is one already stays as it is. */
export function unusable(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError(`The database ${path} cannot be opened: ${(error as Error).message}.`, { cause: error });
}
