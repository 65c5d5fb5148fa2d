import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Releases a lock. If the process ends earlier, the operating system releases the lock. */
export type Unlock = () => void;

/**
 * Locks a file. Returns null if the file is already locked. Node has no file locks, so the file is opened as a SQLite
 * database. The file must not be used for anything else.
 */
export function lockFile(path: string): Unlock | null {
  const connection = new DatabaseSync(path);
  try {
    // Keeps SQLite's journal in memory, so that locking works even on a full disk.
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => connection.close();
  } catch (error) {
    connection.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
}

/** Error code from https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

/** Folder that belongs to one process. The folder is locked until the process ends. */
export interface OwnedFolder {
  folder: string;
  unlock: Unlock;
}

const DELETED_PREFIX = '.terse-removed-';

/** Returns the path of a folder's lock file. The process that holds the lock owns the folder. */
export function lockPath(folder: string): string {
  return join(folder, 'lock');
}

/** Creates a folder that this process owns. If this fails, no files or folders are left behind. */
export function makeOwnedFolder(directory: string, name: string): OwnedFolder {
  // Creates the folder under a temporary name and locks the folder before renaming it, because other processes delete
  // unlocked folders.
  const unnamed = mkdtempSync(join(directory, '.new-'));
  let unlock: Unlock | null = null;
  try {
    unlock = lockFile(lockPath(unnamed));
    if (!unlock) throw new Error('another process has locked the new folder');
    const folder = join(directory, name);
    renameSync(unnamed, folder);
    return { folder, unlock };
  } catch (error) {
    unlock?.();
    rmSync(unnamed, { recursive: true, force: true });
    throw error;
  }
}

export function removeOwnedFolder({ folder, unlock }: OwnedFolder): void {
  removeLockedFolder(folder);
  unlock();
}

/**
 * Deletes a folder that this process has locked. The folder is renamed first, because another process could otherwise
 * create a new lock file in the folder and make the deletion fail.
 */
export function removeLockedFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const renamed = join(dirname(folder), DELETED_PREFIX + basename(folder));
  renameSync(folder, renamed);
  rmSync(renamed, { recursive: true });
}

/**
 * Deletes folders whose processes have ended, and folders whose deletion was interrupted.
 *
 * @param prefix start of the folder names
 */
export function removeAbandoned(directory: string, prefix: string): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory)) {
    if (name.startsWith(DELETED_PREFIX)) rmSync(join(directory, name), { recursive: true, force: true });
    else if (name.startsWith(prefix)) removeIfAbandoned(join(directory, name));
  }
}

function removeIfAbandoned(folder: string): void {
  if (!existsSync(lockPath(folder))) return;
  try {
    const unlock = lockFile(lockPath(folder));
    if (unlock) removeOwnedFolder({ folder, unlock });
  } catch {
    // Ignores a folder that another process has just deleted, or that this process has no permission to delete.
  }
}
