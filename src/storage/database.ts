import type { RemovedKeySends } from '../queue/limits/removed-key-quota.ts';
import type { Attempt, Connection, Group, Link, QueueState, Quota, Request } from '../queue/types.ts';
import { createFirst } from './migrations/0001-first-schema.ts';
import { toOneQueuePerConnection } from './migrations/0002-one-queue-per-connection.ts';
import { dropPauseMarksAndPositions } from './migrations/0006-drop-pause-marks-and-positions.ts';
import { addGroups, addLinksByCode, addPastSends } from './migrations/migrations.ts';

/*
 * IndexedDB by promises. Within a transaction nothing but its own requests may be awaited: it is committed as soon as none
 * is left.
 */

/** The result of a request; fails with the request's error. */
export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Resolves once a transaction is committed. Where it was aborted, fails with what ended it. */
export function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? aborted());
  });
}

/** What work fails with that was ended from outside. */
export function aborted(): DOMException {
  return new DOMException('Aborted.', 'AbortError');
}

/** Undoes a transaction, unless it has ended by itself. */
export function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It has ended.
  }
}

const NAME = 'terse';

/** The version that this version of the extension reads and writes: one for each migration. */
export const OPENED_VERSION = 6;

/** Deletes the database, once whoever has it open has stood aside. */
export async function deleteDatabase(): Promise<void> {
  await resultOf(indexedDB.deleteDatabase(NAME));
}

/** One step from a version of the database to the next, within the transaction of the upgrade. */
export type Migration = (database: IDBDatabase, transaction: IDBTransaction) => void | Promise<void>;

/** Brings an older database up to date: `from` is its version, 0 for none. What it throws undoes all of it. */
type Upgrade = (database: IDBDatabase, from: number, transaction: IDBTransaction) => Promise<void>;

/**
 * Opens the database as it is, or as `upgrade` makes it.
 *
 * @param closed called where it was closed by another than its user
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
  // A newer version wants to open it: stand aside, or an update waits for every page to close.
  database.onversionchange = () => {
    database.close();
    closed();
  };
  // The browser closed it: site data were cleared, or the disk failed.
  database.onclose = closed;
  return database;
}

/** What each object store keeps, and its indexes. All keys are text, but for `createdAt` and `code` (connection and code). */
interface Tables {
  connections: { value: Connection; index: never };
  /** Apart from everything that pages read: the API key of each connection, by the connection's id. */
  secrets: { value: string; index: never };
  queues: { value: QueueRecord; index: never };
  attempts: { value: Attempt; index: 'connectionId' };
  /** Those of no connection are in no index: they are found among all. */
  requests: { value: Request; index: 'connectionId' | 'groupId' };
  /** By a fingerprint: see `past-sends.ts` in `src/queue`. */
  pastSends: { value: RemovedKeySends; index: never };
  groups: { value: Group; index: 'createdAt' };
  links: { value: Link; index: 'createdAt' | 'url' | 'shortUrl' | 'connectionId' | 'code' };
}

/** What a queue keeps besides its attempts and requests. */
export interface QueueRecord {
  connectionId: string;
  /** A new one at each write of the queue, its attempts or its requests. */
  revision: string;
  state: QueueState;
  budget: Quota;
}

export type StoreName = keyof Tables;

/** The browser's own database, which knows its stores. */
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
  /** `key`: that one alone. `count`: so many at most. */
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
  /** Fails where there is one with this key. */
  add(value: Value): IDBRequest;
  /** `key`: where the value has none of its own. */
  put(value: Value, key?: string): IDBRequest;
  delete(key: string): IDBRequest;
  clear(): IDBRequest;
}

/**
 * Each step takes the database from the version of its index to the next, within the transaction of the upgrade. Released
 * steps are never changed: whoever installed an old version still has to go through them.
 */
const MIGRATIONS: [Migration, Migration, Migration, Migration, Migration, Migration] = [
  createFirst,
  toOneQueuePerConnection,
  addPastSends,
  addLinksByCode,
  addGroups,
  dropPauseMarksAndPositions,
];

/** `open-at-version.ts` opens at this version, for pages too, which do not load the steps. */
export const DATABASE_VERSION: typeof OPENED_VERSION = MIGRATIONS.length;

/**
 * Opens the extension's database, bringing it up to date. One written by a newer version of the extension is refused
 * by the browser with a `VersionError`, untouched. A migration that fails leaves everything as it was.
 *
 * @param closed called where it was closed by another than its user: it is of no use any more, and can be opened anew
 */
export function openDatabase(closed?: () => void): Promise<Database> {
  return openAtVersion(async (database, from, transaction) => {
    for (const migrate of MIGRATIONS.slice(from)) await migrate(database, transaction);
  }, closed) as Promise<unknown> as Promise<Database>;
}

/** Opens the database, and calls back where it is closed by another. */
export type Open = (closed: () => void) => Promise<Database>;

/** One database, for as long as it lasts: one that was closed, or never opened, is not kept. */
export class ReopeningDatabase {
  readonly #open: Open;
  #opened: Promise<Database> | null = null;

  constructor(open: Open) {
    this.#open = open;
  }

  get(): Promise<Database> {
    if (this.#opened) return this.#opened;
    const forget = () => {
      if (this.#opened === opened) this.#opened = null;
    };
    const opened = this.#open(forget);
    opened.catch(forget);
    this.#opened = opened;
    return opened;
  }
}

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
