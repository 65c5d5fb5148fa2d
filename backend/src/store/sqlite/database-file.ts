import { closeSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { accessProblem } from '../../files/access-problem.ts';
import { makeFolder } from '../../files/create-file.ts';
import { lockFile, type Unlock } from '../../files/file-lock.ts';
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
 * Locks a SQLite file for this server process, because two server processes would block each other's writes. Short
 * commands do not need this lock. When the process ends, the lock is released.
 *
 * @returns function that releases the lock
 * @throws StoreError if another process has locked the file, or if the path cannot be used for a database
 */
export function claimDatabase(path: string): Unlock {
  createIfMissing(path);
  let unlock: Unlock | null;
  try {
    // The lock is named after the path without symbolic links.
    unlock = lockFile(`${realpathSync(path)}-lock`);
  } catch (error) {
    throw unusable(path, error);
  }
  if (unlock) return unlock;
  throw new StoreError(
    `The database ${path} is already served by another process. Only one process can serve a SQLite file. Stop that process first, or use PostgreSQL.`,
  );
}

/** Converts an error to a StoreError with a message for the operator. A StoreError is returned unchanged. */
export function unusable(path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError(`The database ${path} cannot be opened: ${(error as Error).message}.`, { cause: error });
}
