import type { Database, StoreName, Transaction } from './database.ts';

/** Reads in one transaction, so that everything read is of one moment. */
export async function readIn<T>(
  database: Database,
  stores: StoreName[],
  read: (transaction: Transaction<'readonly'>) => Promise<T>,
): Promise<T> {
  return run(database.transaction(stores, 'readonly'), read);
}

/**
 * Works in one transaction, and returns once it is on disk. Where anything fails, nothing of it is.
 *
 * @param work may await nothing but the transaction's own requests: it is committed as soon as none is left
 */
export async function writeIn<T>(
  database: Database,
  stores: StoreName[],
  work: (transaction: Transaction<'readwrite'>) => Promise<T>,
): Promise<T> {
  return run(database.transaction(stores, 'readwrite', { durability: 'strict' }), work);
}

/** One write of a transaction, not begun yet. */
export type Write = () => Promise<unknown>;

/** Begins writes all at once, which is faster than one by one. Fails with the first that fails. */
export async function writeAll(writes: Write[]): Promise<void> {
  // Each within a promise of its own: one that throws at once would leave those before it to fail unheard.
  await Promise.all(writes.map(async (write) => write()));
}

async function run<T, Mode extends IDBTransactionMode>(
  transaction: Transaction<Mode>,
  work: (transaction: Transaction<Mode>) => Promise<T>,
): Promise<T> {
  // Where it fails, `work` or the last line tells; a promise that nobody awaits would be reported as unhandled.
  transaction.done.catch(() => undefined);
  try {
    const value = await work(transaction);
    await transaction.done;
    return value;
  } catch (error) {
    abort(transaction);
    throw error;
  }
}

/** Without this, what was put before the failure would be committed. */
function abort(transaction: { abort: () => void }): void {
  try {
    transaction.abort();
  } catch {
    // It has ended by itself.
  }
}
