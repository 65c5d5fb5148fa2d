import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../config/environment.ts';
import { makeFolder } from '../files/atomic-file.ts';
import { lockFile, lockPath, makeOwnedFolder, type OwnedFolder } from '../files/file-lock.ts';
import { StoreError } from '../store/interface/store.ts';

/**
 * Returns the folder of a click journal. The folder name contains the id of the database, so that its clicks are
 * never counted into another database.
 */
export function journalFolder(directory: string, identity: string, journal: string): string {
  return join(directory, `${identity}-${journal}`);
}

/** Returns the names of all click journals of a database in a directory. */
export function journalsIn(directory: string, identity: string): string[] {
  const prefix = `${identity}-`;
  return readdirSync(directory)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
}

/** Returns the folder for unreadable files of a click journal. A newer version of Terse may be able to read them. */
export function unreadableFolder(folder: string): string {
  return join(unreadableDirectory(dirname(folder)), basename(folder));
}

/** Returns the common parent folder of all unreadable files of clicks. */
export function unreadableDirectory(directory: string): string {
  return join(directory, 'unreadable');
}

export function segmentPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(8, '0')}.clicks`);
}

/** Returns the numbers of a journal's files, oldest first. Only the newest file can still grow. */
export function segmentsIn(folder: string): number[] {
  // If the disk was full when the service started, the folder does not exist.
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => /^(\d{8,})\.clicks$/.exec(name)?.slice(1).map(Number) ?? [])
    .sort((one, two) => one - two);
}

/** Name prefix of folders in which backups create hard links to files of clicks. */
export const LINK_PREFIX = '.backup-';

/** True if a backup may have created hard links to files of clicks in this directory. */
export function mayBeLinked(directory: string): boolean {
  return readdirSync(directory).some((name) => name.startsWith(LINK_PREFIX));
}

/**
 * Creates the folder for the clicks of this process. Only its owner can read it.
 *
 * @returns null if the disk is full, because redirects must work even if clicks cannot be stored
 * @throws StoreError with a message for the operator
 */
export function createJournalFolder(directory: string, identity: string, journal: string): OwnedFolder | null {
  try {
    makeFolder(directory);
    return makeOwnedFolder(directory, basename(journalFolder(directory, identity, journal)));
  } catch (error) {
    if (['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw new StoreError(`The journal of clicks in ${directory} cannot be begun: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

type JournalSettings = Pick<Config, 'database' | 'journalDirectory'>;

/**
 * Returns the directory in which version 0.1.0 stored uncounted clicks if the database was opened by a symbolic link.
 * Returns null if it does not exist.
 *
 * @param directory current directory for uncounted clicks
 */
export function formerDirectory({ database, journalDirectory }: JournalSettings, directory: string): string | null {
  if (database.engine !== 'sqlite' || journalDirectory !== null) return null;
  const former = `${database.path}-clicks`;
  return former === directory || !existsSync(former) ? null : former;
}

/**
 * Moves uncounted clicks from the directory of version 0.1.0 to the current one. Never overwrites files, and ignores
 * clicks of other databases.
 *
 * @throws StoreError if a process is still writing clicks, or if the operator must move the files manually, for
 * example to another disk
 */
export function adoptAbandonedJournals(settings: JournalSettings, directory: string, identity: string): void {
  const former = formerDirectory(settings, directory);
  if (former === null) return;
  const aside = unreadableDirectory(former);
  try {
    moveAll(former, directory, identity, moveUnlessWritten);
    // Unreadable files are moved before counting starts, because the counting progress is kept as long as they exist.
    if (existsSync(aside)) moveAll(aside, unreadableDirectory(directory), identity, renameSync);
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

/**
 * Moves the journals of a database. `rename` fails if the target folder exists and is not empty, so nothing is
 * overwritten.
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
    // The folder is not empty, is a symbolic link or does not exist. In each case it can stay.
  }
}
