import type { Database, ReadTransaction, StoreName, WriteTransaction } from './database.ts';
import { abort, committed } from './indexed-db.ts';

/**
 * Reads in one transaction, so that everything read is of one moment.
 *
 * @param read may await nothing but the transaction's own requests
 */
export async function readIn<T>(
  database: Database,
  stores: StoreName[],
  read: (transaction: ReadTransaction) => Promise<T>,
): Promise<T> {
  return read(database.transaction(stores, 'readonly'));
}

/**
 * Works in one transaction, and returns once it is on disk. Where anything fails, nothing of it is.
 *
 * @param work may await nothing but the transaction's own requests. What it writes need not be awaited: what fails of that
 *   undoes the transaction
 */
export async function writeIn<T>(
  database: Database,
  stores: StoreName[],
  work: (transaction: WriteTransaction) => Promise<T> | T,
): Promise<T> {
  const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' });
  const ended = committed(transaction);
  // Where `work` fails, that is what is told; a promise that nobody awaits would be reported as unhandled.
  ended.catch(() => undefined);
  try {
    const value = await work(transaction);
    await ended;
    return value;
  } catch (error) {
    // Without this, what was put before the failure would be committed.
    abort(transaction);
    throw error;
  }
}
