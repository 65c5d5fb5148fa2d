import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Releases a lock. If the process ends first, the operating system releases the lock. */
export type Unlock = () => void;

/**
 * Locks a file. Node has no file locks, so the file is an empty SQLite database. It must not be used for anything
 * else. Returns null if the file is already locked.
 */
export function lockFile(path: string): Unlock | null {
  const connection = new DatabaseSync(path);
  try {
    // Keeps SQLite's journal in memory, so that locking works even if the disk is full.
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

/** Name prefix of folders that are being deleted. */
const DELETED_PREFIX = '.terse-removed-';

/** Returns the path of a folder's lock file. The process that locks this file owns the folder. */
export function lockPath(folder: string): string {
  return join(folder, 'lock');
}

/** Creates a folder that this process owns. If this fails, no files are left behind. */
export function makeOwnedFolder(directory: string, name: string): OwnedFolder {
  // Locks the folder under a temporary name first. Other processes would delete an unlocked folder with the final
  // name.
  const unnamed = mkdtempSync(join(directory, '.new-'));
  let unlock: Unlock | null = null;
  try {
    unlock = lockFile(lockPath(unnamed));
    if (!unlock) throw new Error('the lock of a new folder is held by another process');
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
 * Deletes a folder that this process has locked. The folder is renamed first, so that no other process can create a
 * new lock file in it while it is being deleted.
 */
export function removeLockedFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const renamed = join(dirname(folder), DELETED_PREFIX + basename(folder));
  renameSync(folder, renamed);
  rmSync(renamed, { recursive: true });
}

/**
 * Deletes folders of processes that have ended, and folders whose deletion was interrupted.
 *
 * @param prefix name prefix of the folders to check
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
    // Another process has just deleted the folder, or this process is not allowed to. The folder can stay.
  }
}
