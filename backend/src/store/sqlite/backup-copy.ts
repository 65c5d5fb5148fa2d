import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { accessProblem } from '../../files/access-problem.ts';
import { type AppliedStep, FORGET_VISITORS, missingMigrations } from '../migrations/all-migrations.ts';
import { StoreError } from '../store-errors.ts';
import { checkPath } from './database-file.ts';
import { openFile } from './sqlite-database.ts';

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
