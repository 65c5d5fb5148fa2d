import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../config/environment.ts';
import { makeFolder } from '../files/atomic-file.ts';
import { lockFile, lockPath, makeOwnedFolder, type OwnedFolder } from '../files/file-lock.ts';
import { StoreError } from '../store/interface/store.ts';

/** The folder of a journal, named after its database and itself, so that it is never counted into another database. */
export function journalFolder(directory: string, identity: string, journal: string): string {
  return join(directory, `${identity}-${journal}`);
}

/** The journals of a database that are in a directory. */
export function journalsIn(directory: string, identity: string): string[] {
  const prefix = `${identity}-`;
  return readdirSync(directory)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
}

/** Where unreadable segments of a journal are put: out of the way, but kept for a program that can read them. */
export function asidePath(folder: string): string {
  return join(asideDirectory(dirname(folder)), basename(folder));
}

/** Where those of all journals of a directory are put. */
export function asideDirectory(directory: string): string {
  return join(directory, 'unreadable');
}

export function segmentPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(8, '0')}.clicks`);
}

/** Returns the numbers of the segments in a folder, oldest first. All but the newest are complete. */
export function segmentsIn(folder: string): number[] {
  // A service that starts on a full disk has no folder yet.
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => /^(\d{8,})\.clicks$/.exec(name)?.slice(1).map(Number) ?? [])
    .sort((one, two) => one - two);
}

/** How the names of folders begin in which backups hold journals. */
export const HOLD = '.backup-';

/** Whether a backup may be holding journals of a directory. */
export function isHeld(directory: string): boolean {
  return readdirSync(directory).some((name) => name.startsWith(HOLD));
}

/**
 * Makes the folder of a new journal, readable by its owner alone.
 *
 * @returns null if the disk is full: redirects go on without a journal
 * @throws StoreError with a sentence for the operator
 */
export function makeJournal(directory: string, identity: string, journal: string): OwnedFolder | null {
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
export function adoptAbandonedJournals(settings: JournalSettings, directory: string, identity: string): void {
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
