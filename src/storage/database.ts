import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb';
import type { RemovedKeySends } from '../queue/limits/removed-key-quota.ts';
import type { Attempt, Connection, Group, Link, QueueState, Quota, Request } from '../queue/types.ts';
import { createFirst } from './migrations/0001-first-schema.ts';
import { toOneQueuePerConnection } from './migrations/0002-one-queue-per-connection.ts';
import { dropPauseMarksAndPositions } from './migrations/0006-drop-pause-marks-and-positions.ts';
import {
  addGroups,
  addLinksByCode,
  addPastSends,
  type Migration,
  type UpgradeTransaction,
} from './migrations/migrations.ts';

const NAME = 'terse';

/** Waits until open pages have closed the database, and then deletes it. */
export function deleteDatabase(): Promise<void> {
  return deleteDB(NAME);
}

interface Tables extends DBSchema {
  connections: { key: string; value: Connection };
  /** API keys by connection id, stored separately from the data that pages read. */
  secrets: { key: string; value: string };
  queues: { key: string; value: QueueRecord };
  attempts: { key: string; value: Attempt; indexes: { connectionId: string } };
  /** The `connectionId` index does not contain requests without a connection. */
  requests: { key: string; value: Request; indexes: { connectionId: string; groupId: string } };
  /** Quota use of removed API keys. The database key is a hash of the API key. */
  pastSends: { key: string; value: RemovedKeySends };
  groups: { key: string; value: Group; indexes: { createdAt: number } };
  links: {
    key: string;
    value: Link;
    indexes: { createdAt: number; url: string; shortUrl: string; connectionId: string; code: [string, string] };
  };
}

/** Record of a queue in the database. The queue's attempts and requests are in separate object stores. */
export interface QueueRecord {
  connectionId: string;
  /** Id that changes with each write to the queue, its attempts or its requests. */
  revision: string;
  state: QueueState;
  budget: Quota;
}

export type StoreName = StoreNames<Tables>;
export type Database = IDBPDatabase<Tables>;
export type ReadTransaction = IDBPTransaction<Tables, StoreName[], IDBTransactionMode>;
export type WriteTransaction = IDBPTransaction<Tables, StoreName[], 'readwrite'>;

/**
 * Migrations in order. The first one creates version 1. A released migration never changes, because users may upgrade
 * from any old version.
 */
const MIGRATIONS: Migration[] = [
  createFirst,
  toOneQueuePerConnection,
  addPastSends,
  addLinksByCode,
  addGroups,
  dropPauseMarksAndPositions,
];

export const DATABASE_VERSION = MIGRATIONS.length;

/**
 * Opens the database and runs missing migrations. A failed migration changes nothing. If a newer version of the
 * extension has upgraded the database, the promise rejects with a `VersionError`.
 *
 * @param closed called if the browser closes the database, or if this version closes it so that a newer version can
 * upgrade it
 */
export async function openDatabase(closed: () => void = () => {}): Promise<Database> {
  let failure: unknown;
  const opening = openDB(NAME, DATABASE_VERSION, {
    upgrade(database, from, _to, transaction) {
      const failed = (error: unknown) => {
        failure ??= error;
        abort(transaction);
      };
      migrate(database, from, transaction).catch(failed);
      transaction.done.catch(failed);
    },
    // A newer version of the extension is waiting to upgrade the database.
    blocking(_from, _to, { target }) {
      (target as IDBDatabase).close();
      closed();
    },
    // The browser closes the database if the user clears site data or the disk fails.
    terminated: closed,
  });
  const database: unknown = await opening.catch((error) => {
    throw failure ?? error;
  });
  return database as Database;
}

async function migrate(database: IDBPDatabase, from: number, transaction: UpgradeTransaction): Promise<void> {
  for (const migration of MIGRATIONS.slice(from)) await migration(database, transaction);
}

export type Open = (closed: () => void) => Promise<Database>;

/** Keeps the database open. If opening fails or the browser closes the database, the next call opens it again. */
export class ReopeningDatabase {
  readonly #open: Open;
  #opened: Promise<Database> | null = null;

  constructor(open: Open) {
    this.#open = open;
  }

  get(): Promise<Database> {
    if (this.#opened) return this.#opened;
    const drop = () => {
      if (this.#opened === opened) this.#opened = null;
    };
    const opened = this.#open(drop);
    opened.catch(drop);
    this.#opened = opened;
    return opened;
  }
}

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
