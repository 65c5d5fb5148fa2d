import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type AppliedStep, FORGET_VISITORS, missingMigrations } from '../migrations/all-migrations.ts';
import { StoreError } from '../store-errors.ts';

/**
 * Checks that a path can be used for a database. Refuses a folder, a file that this process cannot write, and a file
 * with hard links. SQLite's write-ahead log is named after the database file, so data written under another name could
 * be lost (https://www.sqlite.org/howtocorrupt.html, section 2.5).
 *
 * @returns true if the file exists
 * @throws StoreError with the solution
 */
export function checkPath(path: string): boolean {
  const problem = accessProblem(path);
  if (problem) throw new StoreError(`The database ${path} cannot be opened: ${problem}.`);
  try {
    const file = statSync(path, { throwIfNoEntry: false });
    if (file?.isDirectory()) {
      throw new StoreError(`The database ${path} is a folder. Use a file, such as ${join(path, 'terse.db')}.`);
    }
    if (file?.isFile() && file.nlink > 1) {
      throw new StoreError(
        `The database ${path} has ${file.nlink} names (hard links). Writes made under one name are invisible under the others and can be lost. Delete all names but one.`,
      );
    }
    return file !== undefined;
  } catch (error) {
    throw unusable(path, error);
  }
}

/**
 * Creates the file of a database if it is missing. Only its owner can access it.
 *
 * @throws StoreError if the path cannot be used for a database
 */
export function createIfMissing(path: string): void {
  // Opening and closing an existing database file would release SQLite's locks on the file.
  if (checkPath(path)) return;
  try {
    makeFolder(dirname(path));
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw unusable(path, error);
  }
}

/**
 * Creates a folder and its missing parents, and flushes them to the disk. Only the user who runs the process can
 * access the new folders.
 *
 * @throws the error of the operating system
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created the folder meanwhile.
    if (!existsSync(folder)) throw error;
  }
  flush(parent);
}

/** Flushes the content of a file, or the list of files in a folder, to the disk. */
export function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Endings of the files that SQLite and this program create next to a database. */
const COMPANIONS = ['', '-wal', '-shm', '-lock'];

/** Returns the reason why this process cannot write a database file and its companions. Null if it can. */
function accessProblem(path: string): string | null {
  const files = COMPANIONS.map((ending) => path + ending).filter((file) => existsSync(file));
  const problems = files.map((file) => problemWith('file', file, constants.R_OK | constants.W_OK));
  return folderProblem(dirname(path)) ?? problems.find((found) => found !== null) ?? null;
}

/** Returns the reason why this process cannot create files in a folder, or cannot create the folder. Null if it can. */
export function folderProblem(folder: string): string | null {
  return existsSync(folder) || dirname(folder) === folder
    ? problemWith('folder', folder, constants.W_OK | constants.X_OK)
    : folderProblem(dirname(folder));
}

function problemWith(kind: 'file' | 'folder', path: string, mode: number): string | null {
  try {
    accessSync(path, mode);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS') return `the ${kind} ${path} is on a read-only file system; mount it with write access`;
    if (code !== 'EACCES' && code !== 'EPERM') return null;
    return `the user with the ID ${process.getuid?.()} cannot write to the ${kind} ${path}`;
  }
}

/** Error code from https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

/**
 * Locks a SQLite file for this server process, because two server processes would block each other's writes. Short
 * commands do not need this lock. When the process ends, the lock is released.
 *
 * @returns function that releases the lock
 * @throws StoreError if another process has locked the file, or if the path cannot be used for a database
 */
export function claimDatabase(path: string): () => void {
  createIfMissing(path);
  let lock: DatabaseSync | null = null;
  try {
    // Node has no file locks, so a transaction in another file is used. The file is named after the path without
    // symbolic links.
    const opened = new DatabaseSync(`${realpathSync(path)}-lock`);
    lock = opened;
    // Keeps SQLite's journal in memory, so that locking works even on a full disk.
    opened.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => opened.close();
  } catch (error) {
    lock?.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw unusable(path, error);
    throw new StoreError(
      `The database ${path} is already served by another process. Only one process can serve a SQLite file. Stop that process first, or use PostgreSQL.`,
    );
  }
}

/** Converts an error to a StoreError with a message for the operator. A StoreError is returned unchanged. */
export function unusable(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError(`The database ${path} cannot be opened: ${(error as Error).message}.`, { cause: error });
}

/**
 * Maximum wait for a lock while the file is being opened, in milliseconds. The wait blocks the thread, but no
 * requests are handled yet.
 */
const OPENING_TIMEOUT = 5000;

/** Opens a connection that stores temporary data in memory, because containers may not have a writable folder. */
export function openFile(path: string, options: { readOnly?: boolean } = {}): DatabaseSync {
  const connection = new DatabaseSync(path, { ...options, timeout: OPENING_TIMEOUT });
  connection.exec('PRAGMA temp_store = MEMORY');
  return connection;
}

/**
 * Copies a database into an empty file. Other processes can use the database while it is being copied.
 *
 * @throws StoreError if the database does not exist or has the wrong version, or if the disk is full
 */
export function snapshot(path: string, into: string): void {
  if (!checkPath(path)) throw new StoreError(`There is no database ${path}.`);
  inspect(path, (source) => {
    if (missingMigrations(stepsOf(source)).length > 0) {
      throw new StoreError(
        `The database ${path} is older than this version of Terse. Back it up with the version that serves it.`,
      );
    }
    try {
      // A single statement copies a consistent snapshot. In WAL mode, this does not block writers.
      source.prepare('VACUUM INTO ?').run(into);
    } catch (error) {
      throw new StoreError(`The database ${path} cannot be copied: ${(error as Error).message}.`, { cause: error });
    }
  });
}

/**
 * Finishes a copy of a database: deletes the visitor hashes and checks the file. The hashes must not be stored for
 * more than a day. If a copy is restored on the same day, returning visitors are counted twice.
 */
export function finishCopy(path: string): void {
  inspect(
    path,
    (copy) => {
      copy.exec(`PRAGMA secure_delete = ON; ${FORGET_VISITORS}; PRAGMA journal_mode = DELETE`);
      checkIntegrity(copy, path);
    },
    false,
  );
}

/**
 * Checks a backup file.
 *
 * @throws StoreError if the file is damaged, or is not a database that this version supports
 */
export function checkBackup(path: string): void {
  if (!existsSync(path)) throw new StoreError(`There is no file ${path}.`);
  inspect(path, (backup) => {
    const steps = stepsOf(backup);
    if (steps.length === 0) throw new StoreError(`${path} is not a backup of Terse.`);
    missingMigrations(steps);
    checkIntegrity(backup, path);
  });
}

/**
 * True if a SQLite file contains Terse's tables.
 *
 * @throws StoreError if the file cannot be read
 */
export function hasSqliteTables(path: string): boolean {
  return checkPath(path) && inspect(path, stepsOf).length > 0;
}

function inspect<Result>(path: string, use: (database: DatabaseSync) => Result, readOnly = true): Result {
  let database: DatabaseSync | null = null;
  try {
    database = openFile(path, { readOnly });
    return use(database);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const reason = accessProblem(path) ?? (error as Error).message;
    throw new StoreError(`${path} cannot be read: ${reason}.`, { cause: error });
  } finally {
    database?.close();
  }
}

function stepsOf(database: DatabaseSync): AppliedStep[] {
  const isTerse = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get() !== undefined;
  return isTerse ? (database.prepare('SELECT * FROM migrations').all() as unknown as AppliedStep[]) : [];
}

function checkIntegrity(database: DatabaseSync, path: string): void {
  const found = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (found !== 'ok') throw new StoreError(`${path} is damaged: ${found}.`);
}
