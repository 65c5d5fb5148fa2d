import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Releases a lock. The operating system releases it when the process ends. */
export type Unlock = () => void;

/**
 * Locks a file, which must be used for nothing else. The file is an empty SQLite database, since Node has no file locks.
 * Returns null if this or another process holds the lock.
 */
export function lockFile(path: string): Unlock | null {
  const connection = new DatabaseSync(path);
  try {
    // Keeps the journal in memory, so that a full disk does not prevent the lock.
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => connection.close();
  } catch (error) {
    connection.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
}

/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

/** A folder that belongs to one process. It stays locked until the process ends. */
export interface OwnedFolder {
  folder: string;
  unlock: Unlock;
}

/** Prefix of folders that are being deleted. */
const DELETED_PREFIX = '.terse-removed-';

/** Returns the path of the lock file. The process that holds the lock owns the folder. */
export function lockPath(folder: string): string {
  return join(folder, 'lock');
}

/** Creates a folder that this process owns, in an existing directory. If this fails, it leaves nothing behind. */
export function makeOwnedFolder(directory: string, name: string): OwnedFolder {
  // The folder is locked before it gets its name, because other processes treat an unlocked folder as abandoned.
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

/** Deletes a folder with its content, and releases its lock. */
export function removeOwnedFolder({ folder, unlock }: OwnedFolder): void {
  removeLockedFolder(folder);
  unlock();
}

/**
 * Deletes a folder whose lock this process holds, if it still exists. Renames it first. Otherwise another process could
 * create a new lock file in it during the deletion, which would then fail.
 */
export function removeLockedFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const renamed = join(dirname(folder), DELETED_PREFIX + basename(folder));
  renameSync(folder, renamed);
  rmSync(renamed, { recursive: true });
}

/** Deletes folders with this prefix whose processes have ended, and folders whose deletion was interrupted. */
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
    // Another process has deleted the folder, or this process has no permission. The folder does no harm.
  }
}
