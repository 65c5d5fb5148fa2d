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
