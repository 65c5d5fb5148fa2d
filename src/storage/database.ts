import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb';
import type { Connection, Limits, Link, QueueState, Request, RequestList } from '../queue/types.ts';

export const DATABASE_NAME = 'terse-data';
export const DATABASE_VERSION = 1;

/** Waits until open pages have closed the database, and then deletes it. */
export function deleteDatabase(): Promise<void> {
  return deleteDB(DATABASE_NAME);
}

interface Tables extends DBSchema {
  connections: { key: string; value: Connection };
  /** API keys by connection id, stored separately from the data that pages read. */
  secrets: { key: string; value: string };
  queues: { key: string; value: QueueRecord };
  requests: { key: string; value: Request; indexes: { connectionId: string; listId: string } };
  lists: { key: string; value: RequestList; indexes: { createdAt: number } };
  links: {
    key: string;
    value: Link;
    indexes: { createdAt: number; url: string; shortUrl: string; connectionId: string; code: [string, string] };
  };
}

/** Record of a queue in the database. The queue's requests are in a separate object store. */
export interface QueueRecord {
  connectionId: string;
  state: QueueState;
  limits: Limits;
}

export type StoreName = StoreNames<Tables>;
export type Database = IDBPDatabase<Tables>;
export type ReadTransaction = IDBPTransaction<Tables, StoreName[], IDBTransactionMode>;
export type WriteTransaction = IDBPTransaction<Tables, StoreName[], 'readwrite'>;

/**
 * Opens the database, and creates it at the first start. If a newer version of the extension has upgraded the database,
 * the promise rejects with a `VersionError`.
 *
 * @param closed called if the browser closes the database, or if this version closes it so that a newer version can
 * upgrade it
 */
export function openDatabase(closed: () => void = () => {}): Promise<Database> {
  return openDB<Tables>(DATABASE_NAME, DATABASE_VERSION, {
    upgrade(database, _from, _to, transaction) {
      // Prevents an unhandled rejection. If this transaction fails, opening the database also fails.
      transaction.done.catch(() => undefined);
      create(database);
    },
    // A newer version of the extension is waiting to upgrade the database.
    blocking(_from, _to, { target }) {
      (target as IDBDatabase).close();
      closed();
    },
    // The browser closes the database if the user clears site data or the disk fails.
    terminated: closed,
  });
}

function create(database: Database): void {
  database.createObjectStore('connections', { keyPath: 'id' });
  database.createObjectStore('secrets');
  database.createObjectStore('queues', { keyPath: 'connectionId' });
  const requests = database.createObjectStore('requests', { keyPath: 'id' });
  requests.createIndex('connectionId', 'connectionId');
  requests.createIndex('listId', 'listId');
  database.createObjectStore('lists', { keyPath: 'id' }).createIndex('createdAt', 'createdAt');
  const links = database.createObjectStore('links', { keyPath: 'id' });
  for (const key of ['createdAt', 'url', 'shortUrl', 'connectionId'] as const) links.createIndex(key, key);
  // Finds the stored link that matches an entry in a service's list.
  links.createIndex('code', ['connectionId', 'shortCode']);
}

export type Open = (closed: () => void) => Promise<Database>;

/**
 * Reads in one transaction, so that all values are consistent.
 *
 * @param read may await only the transaction's own database requests, because the browser commits an idle transaction
 */
export function readIn<T>(
  database: Database,
  stores: StoreName[],
  read: (transaction: ReadTransaction) => Promise<T>,
): Promise<T> {
  return whileOpen(database, async () => {
    const transaction = database.transaction(stores, 'readonly');
    // Prevents an unhandled rejection. If the transaction fails, the database requests in `read` also fail.
    transaction.done.catch(() => undefined);
    return read(transaction);
  });
}

/**
 * Writes in one transaction, and returns once the data is on disk. Any error rolls the transaction back.
 *
 * @param work must await each of its writes. It may await only the transaction's own database requests, because the
 * browser commits an idle transaction.
 */
export function writeIn<T>(
  database: Database,
  stores: StoreName[],
  work: (transaction: WriteTransaction) => Promise<T>,
): Promise<T> {
  return whileOpen(database, async () => {
    const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' });
    // Prevents an unhandled rejection. If `work` fails, its error is thrown instead of the transaction's error.
    transaction.done.catch(() => undefined);
    try {
      const value = await work(transaction);
      await transaction.done;
      return value;
    } catch (error) {
      // Without this call, the browser would commit the writes that came before the error.
      abort(transaction);
      throw error;
    }
  });
}

function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // The transaction has already ended.
  }
}

/**
 * Runs work on a database. Rejects if the browser closes the database before the work ends. In Firefox, a transaction
 * that starts while the user clears site data can hang, and all later transactions would then wait forever.
 */
function whileOpen<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const closed = () => reject(new DOMException('Aborted.', 'AbortError'));
    database.addEventListener('close', closed);
    work()
      .then(resolve, reject)
      .finally(() => database.removeEventListener('close', closed));
  });
}

/** Maximum time to wait for another background worker, for example of the previous version, to end. */
const MAX_LOCK_WAIT_MS = 10_000;

/**
 * Returns a function that waits until this background worker owns the queues. It owns them until it ends, because the
 * browser then releases the lock.
 *
 * @param locks `navigator.locks`
 */
export function queueLock(locks: Pick<LockManager, 'request'> = navigator.locks): () => Promise<void> {
  let owned: Promise<void> | null = null;
  return () => {
    owned ??= acquire(locks).catch((error) => {
      owned = null;
      throw error;
    });
    return owned;
  };
}

/** @throws TimeoutError if another background worker still owns the queues */
function acquire(locks: Pick<LockManager, 'request'>): Promise<void> {
  return new Promise((resolve, reject) => {
    const hold = () => {
      resolve();
      return new Promise(() => undefined);
    };
    locks.request('queues', { signal: AbortSignal.timeout(MAX_LOCK_WAIT_MS) }, hold).catch(reject);
  });
}
