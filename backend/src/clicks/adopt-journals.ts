import { existsSync, lstatSync, renameSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../config/config.ts';
import { lockFile } from '../files/file-lock.ts';
import { makeFolder } from '../files/make-folder.ts';
import { lockPath } from '../files/owned-folder.ts';
import { StoreError } from '../store/store.ts';
import { asideDirectory, journalFolder, journalsIn } from './folders.ts';

type JournalSettings = Pick<Config, 'database' | 'journalDirectory'>;

/**
 * Where version 0.1.0 wrote the journals of a database that it opened by a symbolic link: beside that link, and not beside the
 * database itself. Null where nothing is there.
 *
 * @param directory where they are written now
 */
export function formerDirectory({ database, journalDirectory }: JournalSettings, directory: string): string | null {
  if (database.engine !== 'sqlite' || journalDirectory !== null) return null;
  const former = `${database.path}-clicks`;
  return former === directory || !existsSync(former) ? null : former;
}

/**
 * Moves the journals of a database, and what could not be read of them, from where version 0.1.0 wrote them to where they are
 * counted. Nothing is overwritten, and other databases' journals stay.
 *
 * @throws StoreError that says what to move by hand, for example from one disk to another, or that a process still writes one
 */
export function adoptJournals(settings: JournalSettings, directory: string, identity: string): void {
  const former = formerDirectory(settings, directory);
  if (former === null) return;
  const aside = asideDirectory(former);
  try {
    moveAll(former, directory, identity, moveUnlessWritten);
    // Before anything is counted: whether there is any decides how long a journal's progress is kept.
    if (existsSync(aside)) moveAll(aside, asideDirectory(directory), identity, renameSync);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(
      `Clicks that an earlier version left in ${former} cannot be moved: ${(error as Error).message}. Move all that is in there into ${directory}, then try again.`,
      { cause: error },
    );
  }
  removeEmpty(aside);
  removeEmpty(former);
}

/** The system refuses to move a folder where one of its name has something in it. */
function moveAll(from: string, to: string, identity: string, move: (folder: string, to: string) => void): void {
  for (const journal of journalsIn(from, identity)) {
    const folder = journalFolder(from, identity, journal);
    if (!lstatSync(folder).isDirectory()) continue;
    const target = journalFolder(to, identity, journal);
    makeFolder(dirname(target));
    move(folder, target);
  }
}

function moveUnlessWritten(folder: string, to: string): void {
  const unlock = lockFile(lockPath(folder));
  if (!unlock) throw new StoreError(`Another process still writes clicks into ${folder}. Stop it first.`);
  try {
    renameSync(folder, to);
  } finally {
    unlock();
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It has something else in it, is a link, or was never there: it is in nobody's way.
  }
}
