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
