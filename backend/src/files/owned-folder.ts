import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile, type Unlock } from './file-lock.ts';

/** A folder of a process, locked as long as that lives, however it ends. */
export interface OwnedFolder {
  folder: string;
  unlock: Unlock;
}

/** Whoever holds the lock of this path owns the folder. */
export function lockPath(folder: string): string {
  return join(folder, 'lock');
}

/** Makes a folder that this process owns, in a directory that exists; for its owner alone. */
export function makeOwnedFolder(directory: string, name: string): OwnedFolder {
  // Locked before it has its name, since whoever finds it unlocked takes it for a dead process's.
  const unnamed = mkdtempSync(join(directory, '.new-'));
  const unlock = lockFile(lockPath(unnamed));
  if (!unlock) throw new Error('its lock is taken');
  const folder = join(directory, name);
  renameSync(unnamed, folder);
  return { folder, unlock };
}

/** Removes it with all that is in it. */
export function removeOwnedFolder({ folder, unlock }: OwnedFolder): void {
  // Tried again, since somebody may be looking just then whether it is abandoned.
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  unlock();
}

/** Removes the folders whose names begin so and whose processes are dead. */
export function removeAbandoned(directory: string, prefix: string): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory)) {
    if (name.startsWith(prefix)) removeIfAbandoned(join(directory, name));
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
