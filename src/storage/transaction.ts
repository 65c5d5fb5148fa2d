import type { Database, ReadTransaction, StoreName, WriteTransaction } from './database.ts';
import { abort, aborted, committed } from './indexed-db.ts';

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
  return whileOpen(database, read(database.transaction(stores, 'readonly')));
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
  try {
    const [value] = await whileOpen(database, Promise.all([work(transaction), committed(transaction)]));
    return value;
  } catch (error) {
    // Without this, what was put before the failure would be committed.
    abort(transaction);
    throw error;
  }
}

/**
 * Fails once the browser has closed the database, with whatever is under way. Firefox leaves a transaction that begins while
 * site data are cleared without any end at all (10 of 5,324, measured), and whoever is next in line would wait for it for ever.
 */
function whileOpen<T>(database: Database, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const closed = () => reject(aborted());
    database.addEventListener('close', closed);
    work.then(resolve, reject).finally(() => database.removeEventListener('close', closed));
  });
}
