import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../interface/store.ts';
import { type AppliedStep, pending } from '../migrations/all-migrations.ts';
import { UNFINISHED_MOVE } from '../migrations/refuse-moved-database.ts';
import { appliedSteps } from './migrate.ts';
import { openFile, refuseSecondName } from './sqlite-connection.ts';

/**
 * Copies a database as it is at one instant into an empty file, while others read and write it.
 *
 * @throws StoreError where there is none, it is not of this program's version, or there is no room for the copy
 */
export function snapshot(path: string, into: string): void {
  if (!existsSync(path)) throw new StoreError(`There is no database ${path}.`);
  inspect(path, (source) => {
    const missing = pending(stepsOf(source)).length;
    if (missing > 0) {
      throw new StoreError(
        `The database ${path} is older than this program. Back it up with the program that serves it.`,
      );
    }
    try {
      // One statement reads one state of the file, and in WAL mode no writer waits for it.
      source.prepare('VACUUM INTO ?').run(into);
    } catch (error) {
      throw new StoreError(`The database ${path} cannot be copied: ${(error as Error).message}.`, { cause: error });
    }
  });
}

/** What tells a database from every other, where it was ever served; else a name that nobody has. */
export function identityOf(path: string): string {
  let identity = '';
  if (!existsSync(path)) throw new StoreError(`There is no database ${path}.`);
  inspect(path, (database) => {
    if (stepsOf(database).length === 0) throw new StoreError(`${path} is no database of Terse.`);
    const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'identity'").get();
    const row = table ? database.prepare('SELECT id FROM identity').get() : undefined;
    identity = (row?.id as string | undefined) ?? '-';
  });
  return identity;
}

/**
 * Makes one file of a copy that was opened and written, and checks that it is whole. What tells visitors apart lives for
 * a day and a backup for longer, so it is not in there: who returns on the day of a restore is counted once more.
 */
export function seal(path: string): void {
  const copy = openFile(path);
  try {
    copy.exec('PRAGMA secure_delete = ON; DELETE FROM visitors; DELETE FROM visitor_days');
    copy.exec('PRAGMA journal_mode = DELETE');
    checkWhole(copy, path);
  } finally {
    copy.close();
  }
}

/** @throws StoreError where a file is no whole database that this program can serve */
export function checkBackup(path: string): void {
  if (!existsSync(path)) throw new StoreError(`There is no file ${path}.`);
  inspect(path, (backup) => {
    const steps = stepsOf(backup);
    if (steps.length === 0) throw new StoreError(`${path} is no backup of Terse.`);
    pending(steps);
    checkWhole(backup, path);
  });
}

function inspect(path: string, use: (database: DatabaseSync) => void): void {
  let database: DatabaseSync | null = null;
  try {
    database = openFile(path, { readOnly: true });
    use(database);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(`${path} cannot be read: ${(error as Error).message}.`, { cause: error });
  } finally {
    database?.close();
  }
}

/** True if a file has the tables of Terse, or a move to it has begun. @throws StoreError */
export function hasSqliteTables(path: string): boolean {
  refuseSecondName(path);
  if (!existsSync(path)) return false;
  let found = false;
  inspect(path, (database) => {
    const table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name IN ('migrations', ?)";
    found = database.prepare(table).get(UNFINISHED_MOVE) !== undefined;
  });
  return found;
}

/** The steps of the schema that a file has seen; none where it is no database of Terse. @throws StoreError */
export function stepsIn(path: string): AppliedStep[] {
  let steps: AppliedStep[] = [];
  inspect(path, (database) => {
    steps = stepsOf(database);
  });
  return steps;
}

/** The steps of the schema it has seen; none where it is no database of Terse. */
function stepsOf(database: DatabaseSync): AppliedStep[] {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'migrations'").get();
  return table ? appliedSteps(database) : [];
}

function checkWhole(database: DatabaseSync, path: string): void {
  const found = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (found !== 'ok') throw new StoreError(`${path} is damaged: ${found}.`);
}
