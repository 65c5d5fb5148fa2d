import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Gives a lock back; the system does when its process dies, however it dies. */
export type Unlock = () => void;

/**
 * Locks a file that nobody else uses for anything: an empty SQLite database, since Node has no other file lock. Null
 * where somebody else, here or in another process, holds it.
 */
export function lockFile(path: string): Unlock | null {
  const connection = new DatabaseSync(path);
  try {
    // In memory, so that locking needs no room on the disk.
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

/** A folder of a process, locked as long as that lives, however it ends. */
export interface OwnedFolder {
  folder: string;
  unlock: Unlock;
}

/** Before the name of a folder that is being removed. */
const UNNAMED = '.terse-removed-';

/** Whoever holds the lock of this path owns the folder. */
export function lockPath(folder: string): string {
  return join(folder, 'lock');
}

/** Makes a folder that this process owns, in a directory that exists; for its owner alone. Where it cannot, it leaves nothing there. */
export function makeOwnedFolder(directory: string, name: string): OwnedFolder {
  // Locked before it has its name, since whoever finds it unlocked takes it for a dead process's.
  const unnamed = mkdtempSync(join(directory, '.new-'));
  let unlock: Unlock | null = null;
  try {
    unlock = lockFile(lockPath(unnamed));
    if (!unlock) throw new Error('its lock is taken');
    const folder = join(directory, name);
    renameSync(unnamed, folder);
    return { folder, unlock };
  } catch (error) {
    unlock?.();
    rmSync(unnamed, { recursive: true, force: true });
    throw error;
  }
}

/** Removes it with all that is in it. */
export function removeOwnedFolder({ folder, unlock }: OwnedFolder): void {
  removeLockedFolder(folder);
  unlock();
}

/**
 * Removes a folder whose lock is held, where it is still there. It loses its name first: whoever looks whether it is abandoned would otherwise
 * find its lock gone, make a new one in it, and so keep it from being removed.
 */
export function removeLockedFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const unnamed = join(dirname(folder), UNNAMED + basename(folder));
  renameSync(folder, unnamed);
  rmSync(unnamed, { recursive: true });
}

/** Removes the folders whose names begin so and whose processes are dead, and what those left that was being removed. */
export function removeAbandoned(directory: string, prefix: string): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory)) {
    if (name.startsWith(UNNAMED)) rmSync(join(directory, name), { recursive: true, force: true });
    else if (name.startsWith(prefix)) removeIfAbandoned(join(directory, name));
  }
}

function removeIfAbandoned(folder: string): void {
  if (!existsSync(lockPath(folder))) return;
  try {
    const unlock = lockFile(lockPath(folder));
    if (unlock) removeOwnedFolder({ folder, unlock });
  } catch {
    // Somebody else removed it, or nobody here may: it is in nobody's way.
  }
}
