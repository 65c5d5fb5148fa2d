import { existsSync, lstatSync, renameSync, rmdirSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { lockFile } from '../files/file-lock.ts';
import { makeFolder } from '../files/make-folder.ts';
import { lockPath } from '../files/owned-folder.ts';
import { StoreError } from '../store/store.ts';
import { journalFolder, journalsIn } from './folders.ts';

/**
 * Moves the journals of a database to where they are counted. Version 0.1.0 wrote them beside the symbolic link by which it
 * opened the database, and no longer beside the database itself. Nothing is overwritten, and other databases' journals stay.
 *
 * @throws StoreError that says what to move by hand, for example from one disk to another, or that a process still writes one
 */
export function adoptJournals(
  { database, journalDirectory }: Pick<Config, 'database' | 'journalDirectory'>,
  directory: string,
  identity: string,
): void {
  if (database.engine !== 'sqlite' || journalDirectory !== null) return;
  const left = `${database.path}-clicks`;
  if (left === directory || !existsSync(left)) return;
  try {
    for (const journal of journalsIn(left, identity)) {
      const folder = journalFolder(left, identity, journal);
      if (!lstatSync(folder).isDirectory()) continue;
      makeFolder(directory);
      moveUnlessWritten(folder, journalFolder(directory, identity, journal));
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(
      `Clicks that an earlier version left in ${left} cannot be moved: ${(error as Error).message}. Move all that is in there into ${directory}, then try again.`,
      { cause: error },
    );
  }
  removeEmpty(left);
}

function moveUnlessWritten(folder: string, to: string): void {
  const unlock = lockFile(lockPath(folder));
  if (!unlock) throw new StoreError(`Another process still writes clicks into ${folder}. Stop it first.`);
  try {
    // The system refuses it where a folder of this name has something in it.
    renameSync(folder, to);
  } finally {
    unlock();
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It has something else in it, or is a link: it is in nobody's way.
  }
}
