import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../config/environment.ts';
import { makeFolder } from '../files/atomic-file.ts';
import { lockFile, lockPath, makeOwnedFolder, type OwnedFolder } from '../files/file-lock.ts';
import { StoreError } from '../store/interface/store.ts';

/**
 * Returns the folder of a journal. Its name contains the database's identity, so that it is never counted into
 * another database.
 */
export function journalFolder(directory: string, identity: string, journal: string): string {
  return join(directory, `${identity}-${journal}`);
}

/** Returns the journals of a database in a directory. */
export function journalsIn(directory: string, identity: string): string[] {
  const prefix = `${identity}-`;
  return readdirSync(directory)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
}

/** Returns the folder for unreadable segments of a journal, which are kept for a program that can read them. */
export function unreadableFolder(folder: string): string {
  return join(unreadableDirectory(dirname(folder)), basename(folder));
}

/** Returns the folder for unreadable segments of all journals in a directory. */
export function unreadableDirectory(directory: string): string {
  return join(directory, 'unreadable');
}

export function segmentPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(8, '0')}.clicks`);
}

/** Returns the numbers of the segments in a folder, oldest first. All except the newest are complete. */
export function segmentsIn(folder: string): number[] {
  // A service that starts on a full disk has no folder yet.
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => /^(\d{8,})\.clicks$/.exec(name)?.slice(1).map(Number) ?? [])
    .sort((one, two) => one - two);
}

/** Prefix of folders in which backups link journals. */
export const LINK_PREFIX = '.backup-';

/** True if a backup may have links to journals of a directory. */
export function mayBeLinked(directory: string): boolean {
  return readdirSync(directory).some((name) => name.startsWith(LINK_PREFIX));
}

/**
 * Creates the folder of a new journal, readable only by its owner.
 *
 * @returns null if the disk is full, so that redirects work without a journal
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
 * Returns the journal directory that version 0.1.0 used for a database opened by a symbolic link: beside the link
 * instead of beside the database. Null if it does not exist.
 *
 * @param directory current journal directory
 */
export function formerDirectory({ database, journalDirectory }: JournalSettings, directory: string): string | null {
  if (database.engine !== 'sqlite' || journalDirectory !== null) return null;
  const former = `${database.path}-clicks`;
  return former === directory || !existsSync(former) ? null : former;
}

/**
 * Moves a database's journals and unreadable segments from version 0.1.0's directory to the current one. Overwrites
 * nothing, and leaves other databases' journals.
 *
 * @throws StoreError that says what to move manually, for example to another disk, or that a process still writes a
 * journal
 */
export function adoptAbandonedJournals(settings: JournalSettings, directory: string, identity: string): void {
  const former = formerDirectory(settings, directory);
  if (former === null) return;
  const aside = unreadableDirectory(former);
  try {
    moveAll(former, directory, identity, moveUnlessWritten);
    // Before counting, because unreadable segments decide how long a journal's progress is kept.
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

/** The system refuses to replace a folder that is not empty. */
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
    // The folder has other contents, is a link or never existed, so it can stay.
  }
}
