import type { PutAside } from '../queue/past-sends.ts';
import type { Attempt, Budget, Connection, Group, Link, QueueState, Request } from '../queue/types.ts';
import { createFirst } from './migrations/0001-first.ts';
import { toOneQueueAConnection } from './migrations/0002-one-queue-a-connection.ts';
import { addPastSends } from './migrations/0003-past-sends.ts';
import { addLinksByCode } from './migrations/0004-links-by-code.ts';
import { addGroups } from './migrations/0005-groups.ts';
import { type Migration, type OPENED_VERSION, openAtVersion } from './open-at-version.ts';

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
  pastSends: { value: PutAside; index: never };
  groups: { value: Group; index: 'createdAt' };
  links: { value: Link; index: 'createdAt' | 'url' | 'shortUrl' | 'connectionId' | 'code' };
}

/** What a queue keeps besides its attempts and requests. */
export interface QueueRecord {
  connectionId: string;
  /** A new one at each write of the queue, its attempts or its requests. */
  revision: string;
  state: QueueState;
  budget: Budget;
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
const MIGRATIONS: [Migration, Migration, Migration, Migration, Migration] = [
  createFirst,
  toOneQueueAConnection,
  addPastSends,
  addLinksByCode,
  addGroups,
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
