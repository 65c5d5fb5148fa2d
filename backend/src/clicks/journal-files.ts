import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../config/environment.ts';
import { makeFolder } from '../files/create-file-atomically.ts';
import { lockFile, lockPath, makeOwnedFolder, type OwnedFolder } from '../files/file-lock.ts';
import { StoreError } from '../store/interface/store.ts';

/**
 * Returns the path of a journal. A journal is a folder in which one process records clicks. The folder name contains
 * the id of the database, so that clicks are never added to the wrong database.
 */
export function journalFolder(directory: string, identity: string, journal: string): string {
  return join(directory, `${identity}-${journal}`);
}

/** Returns the names of all journals of a database. A journal is a folder in which one process records clicks. */
export function journalsIn(directory: string, identity: string): string[] {
  const prefix = `${identity}-`;
  return readdirSync(directory)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
}

/**
 * Returns the folder for files with recorded clicks that this version cannot read. A newer version may be able to
 * read them.
 */
export function unreadableFolder(folder: string): string {
  return join(unreadableDirectory(dirname(folder)), basename(folder));
}

export function unreadableDirectory(directory: string): string {
  return join(directory, 'unreadable');
}

export function segmentPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(8, '0')}.clicks`);
}

/**
 * Returns the numbers of the files with recorded clicks (segments), in ascending order. New clicks are written only
 * to the file with the highest number.
 */
export function segmentsIn(folder: string): number[] {
  // The folder for recorded clicks is missing if the disk was full when the service started.
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => /^(\d{8,})\.clicks$/.exec(name)?.slice(1).map(Number) ?? [])
    .sort((one, two) => one - two);
}

/** Name prefix of the folders in which backups create hard links. */
export const LINK_PREFIX = '.backup-';

/** True if a backup may have created hard links to recorded clicks in this directory. */
export function mayBeLinked(directory: string): boolean {
  return readdirSync(directory).some((name) => name.startsWith(LINK_PREFIX));
}

/**
 * Creates and locks the folder in which this process records clicks. Only the user who runs the process can read the
 * folder. A full disk is not an error, because redirects must work even if clicks cannot be recorded.
 *
 * @returns the locked folder, or null if the disk is full
 * @throws StoreError with a message for the operator
 */
export function createJournalFolder(directory: string, identity: string, journal: string): OwnedFolder | null {
  try {
    makeFolder(directory);
    return makeOwnedFolder(directory, basename(journalFolder(directory, identity, journal)));
  } catch (error) {
    if (['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw new StoreError(
      `The folder for recorded clicks in ${directory} cannot be created: ${(error as Error).message}. Check its permissions, or set TERSE_JOURNAL_DIR to another folder.`,
      {
        cause: error,
      },
    );
  }
}

type JournalSettings = Pick<Config, 'database' | 'journalDirectory'>;

/**
 * Returns the directory in which version 0.1.0 recorded clicks if the database path was a symbolic link. Returns null
 * if this directory does not exist.
 *
 * @param directory current directory for recorded clicks
 */
export function formerDirectory({ database, journalDirectory }: JournalSettings, directory: string): string | null {
  if (database.engine !== 'sqlite' || journalDirectory !== null) return null;
  const former = `${database.path}-clicks`;
  return former === directory || !existsSync(former) ? null : former;
}

/**
 * Moves recorded clicks from the directory of version 0.1.0 to the current directory. Never overwrites files, and
 * ignores the clicks of other databases.
 *
 * @throws StoreError if a process is still recording clicks, or if the operator must move the files manually, for
 * example because the directories are on different disks
 */
export function adoptAbandonedJournals(settings: JournalSettings, directory: string, identity: string): void {
  const former = formerDirectory(settings, directory);
  if (former === null) return;
  const unreadable = unreadableDirectory(former);
  try {
    moveAll(former, directory, identity, moveUnlessWritten);
    // Moves unreadable files before counting starts, so that the clicks in these files cannot be counted twice.
    if (existsSync(unreadable)) moveAll(unreadable, unreadableDirectory(directory), identity, renameSync);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(
      `Clicks that an earlier version recorded in ${former} cannot be moved: ${(error as Error).message}. Move the content of that folder to ${directory}, then try again.`,
      { cause: error },
    );
  }
  removeEmpty(unreadable);
  removeEmpty(former);
}

/**
 * Moves all folders in which clicks were recorded for one database. Moving fails if a target folder is not empty, so
 * no files are overwritten.
 */
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
  if (!unlock) throw new StoreError(`Another process is still writing clicks to ${folder}. Stop that process first.`);
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
    // Ignores a folder that is not empty, is a symbolic link or does not exist.
  }
}
