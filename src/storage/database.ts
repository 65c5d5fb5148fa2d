import type { RemovedKeySends } from '../queue/limits/removed-key-quota.ts';
import type { Attempt, Connection, Group, Link, QueueState, Quota, Request } from '../queue/types.ts';
import { abort, aborted, committed, resultOf } from './idb-promises.ts';
import { createFirst } from './migrations/0001-first-schema.ts';
import { toOneQueuePerConnection } from './migrations/0002-one-queue-per-connection.ts';
import { dropPauseMarksAndPositions } from './migrations/0006-drop-pause-marks-and-positions.ts';
import { addGroups, addLinksByCode, addPastSends } from './migrations/migrations.ts';

export { resultOf };

const NAME = 'terse';

/** Current version of the database schema, which equals the number of migrations. */
export const OPENED_VERSION = 6;

/** Deletes the database. Waits until open pages have closed their database connections. */
export async function deleteDatabase(): Promise<void> {
  await resultOf(indexedDB.deleteDatabase(NAME));
}

/** Converts the database from one version to the next, within the browser's upgrade transaction. */
export type Migration = (database: IDBDatabase, transaction: IDBTransaction) => void | Promise<void>;

/** Upgrades the database from version `from`, which is 0 for a new database. An error rolls back the whole upgrade. */
type Upgrade = (database: IDBDatabase, from: number, transaction: IDBTransaction) => Promise<void>;

/**
 * Opens the database. If its version is older, calls `upgrade`.
 *
 * @param closed called if the browser or a newer version of the extension closes the database
 */
export async function openAtVersion(upgrade: Upgrade, closed: () => void = () => {}): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, OPENED_VERSION);
  let failure: unknown = null;
  request.onupgradeneeded = async ({ oldVersion }) => {
    const transaction = request.transaction as IDBTransaction;
    try {
      await upgrade(request.result, oldVersion, transaction);
    } catch (error) {
      failure = error;
      abort(transaction);
    }
  };
  const database = await resultOf(request).catch((error) => {
    throw failure ?? error;
  });
  // A newer version of the extension is waiting to upgrade the database.
  database.onversionchange = () => {
    database.close();
    closed();
  };
  // The browser closes the database if the user clears site data or the disk fails.
  database.onclose = closed;
  return database;
}

/**
 * Values and indexes of each object store. Keys are strings, except in the indexes `createdAt` (number) and `code`
 * (array).
 */
interface Tables {
  connections: { value: Connection; index: never };
  /** API keys by connection id. They are separate from the data that pages read. */
  secrets: { value: string; index: never };
  queues: { value: QueueRecord; index: never };
  attempts: { value: Attempt; index: 'connectionId' };
  /** The `connectionId` index does not contain requests without a connection. */
  requests: { value: Request; index: 'connectionId' | 'groupId' };
  /** Quota use of deleted API keys, by the key's fingerprint. */
  pastSends: { value: RemovedKeySends; index: never };
  groups: { value: Group; index: 'createdAt' };
  links: { value: Link; index: 'createdAt' | 'url' | 'shortUrl' | 'connectionId' | 'code' };
}

/** Database record of a queue. The queue's attempts and requests are in separate object stores. */
export interface QueueRecord {
  connectionId: string;
  /** Id that changes with each write to the queue, its attempts or its requests. */
  revision: string;
  state: QueueState;
  budget: Quota;
}

export type StoreName = keyof Tables;

/** `IDBDatabase` with types for the object stores. */
export interface Database extends Omit<IDBDatabase, 'transaction'> {
  transaction(stores: StoreName[], mode: 'readonly'): IDBTransaction & ReadTransaction;
  transaction(
    stores: StoreName[],
    mode: 'readwrite',
    options: IDBTransactionOptions,
  ): IDBTransaction & WriteTransaction;
}

export interface ReadTransaction {
  objectStore<Name extends StoreName>(name: Name): ReadStore<Tables[Name]['value'], Tables[Name]['index']>;
}

export interface WriteTransaction {
  objectStore<Name extends StoreName>(name: Name): WriteStore<Tables[Name]['value'], Tables[Name]['index']>;
}

interface ReadStore<Value, Index> {
  get(key: string): IDBRequest<Value | undefined>;
  getAll(key?: string | IDBKeyRange, count?: number): IDBRequest<Value[]>;
  getAllKeys(): IDBRequest<string[]>;
  count(): IDBRequest<number>;
  index(name: Index): {
    getAll(key?: string | string[] | IDBKeyRange, count?: number): IDBRequest<Value[]>;
    getAllKeys(key?: string | IDBKeyRange): IDBRequest<string[]>;
    openKeyCursor(range: null, direction: 'prev'): IDBRequest<IDBCursor | null>;
    count(): IDBRequest<number>;
  };
}

interface WriteStore<Value, Index> extends ReadStore<Value, Index> {
  /** Fails if the key already exists. */
  add(value: Value): IDBRequest;
  put(value: Value, key?: string): IDBRequest;
  delete(key: string): IDBRequest;
  clear(): IDBRequest;
}

/**
 * Migrations in order. The first migration creates version 1. A released migration never changes, because users may
 * still upgrade from any old version.
 */
const MIGRATIONS: [Migration, Migration, Migration, Migration, Migration, Migration] = [
  createFirst,
  toOneQueuePerConnection,
  addPastSends,
  addLinksByCode,
  addGroups,
  dropPauseMarksAndPositions,
];

/** The type makes the compiler check that the number of migrations equals `OPENED_VERSION`. */
export const DATABASE_VERSION: typeof OPENED_VERSION = MIGRATIONS.length;

/**
 * Opens the database and runs missing migrations. A failed migration changes nothing. If a newer version of the
 * extension wrote the database, the promise rejects with a `VersionError`.
 *
 * @param closed called if the browser or another version of the extension closes the database. The caller may then
 * open the database again.
 */
export function openDatabase(closed?: () => void): Promise<Database> {
  return openAtVersion(async (database, from, transaction) => {
    for (const migrate of MIGRATIONS.slice(from)) await migrate(database, transaction);
  }, closed) as Promise<unknown> as Promise<Database>;
}

export type Open = (closed: () => void) => Promise<Database>;

/**
 * Keeps the database open. If the database could not be opened or was closed by the browser, the next call opens it
 * again.
 */
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
 * @param read may await only database requests of the transaction
 */
export async function readIn<T>(
  database: Database,
  stores: StoreName[],
  read: (transaction: ReadTransaction) => Promise<T>,
): Promise<T> {
  return whileOpen(database, read(database.transaction(stores, 'readonly')));
}

/**
 * Writes in one transaction, and returns after the data is on disk. Any error rolls the transaction back.
 *
 * @param work may await only database requests of the transaction. Writes need not be awaited, because a failed write
 * also rolls the transaction back.
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
    // Without this call, the browser would commit the writes that were made before the error.
    abort(transaction);
    throw error;
  }
}

/**
 * Rejects if the browser closes the database before the work ends. In Firefox, a transaction that starts while the
 * user clears site data may never end. All later transactions would then wait forever.
 */
function whileOpen<T>(database: Database, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const closed = () => reject(aborted());
    database.addEventListener('close', closed);
    work.then(resolve, reject).finally(() => database.removeEventListener('close', closed));
  });
}
