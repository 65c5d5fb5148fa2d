import { type DBSchema, deleteDB, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb';
import browser from '../browser/browser.ts';
import type { Link, Queue, Request, RequestList, VisibleQueues } from '../queue/types.ts';

export const DATABASE_NAME = 'terse-data';
export const DATABASE_VERSION = 1;

/** Waits until open pages have closed the database, and then deletes it. */
export function deleteDatabase(): Promise<void> {
  return deleteDB(DATABASE_NAME);
}

interface Tables extends DBSchema {
  queues: { key: string; value: QueueRecord };
  /** API keys by connection id, stored separately from the data that pages read. */
  secrets: { key: string; value: string };
  requests: { key: string; value: Request; indexes: { listId: string } };
  lists: { key: string; value: RequestList; indexes: { createdAt: number } };
  links: {
    key: string;
    value: Link;
    indexes: { createdAt: number; url: string; shortUrl: string; connectionId: string; code: [string, string] };
  };
}

/** A connection and its queue. The queue's requests are in a separate object store. */
export type QueueRecord = Omit<Queue, 'requests'>;

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
  database.createObjectStore('queues', { keyPath: 'connection.id' });
  database.createObjectStore('secrets');
  database.createObjectStore('requests', { keyPath: 'id' }).createIndex('listId', 'listId');
  database.createObjectStore('lists', { keyPath: 'id' }).createIndex('createdAt', 'createdAt');
  const links = database.createObjectStore('links', { keyPath: 'id' });
  for (const key of ['createdAt', 'url', 'shortUrl', 'connectionId'] as const) links.createIndex(key, key);
  // Finds the stored link that matches an entry in a service's list.
  links.createIndex('code', ['connectionId', 'shortCode']);
}

export type Open = (closed: () => void) => Promise<Database>;

/**
 * Reads or writes in one transaction. Returns once written data is on disk. Any error rolls the transaction back.
 *
 * @param work must await each of its writes. It may await only the transaction's own database requests, because the
 * browser commits an idle transaction.
 */
export function inTransaction<T>(
  database: Database,
  stores: StoreName[],
  mode: 'readonly' | 'readwrite',
  work: (transaction: WriteTransaction) => Promise<T>,
): Promise<T> {
  return whileOpen(database, async () => {
    const transaction = database.transaction(stores, mode, { durability: 'strict' }) as WriteTransaction;
    // Prevents an unhandled rejection. If `work` fails, its error is thrown instead of the transaction's error.
    transaction.done.catch(() => undefined);
    try {
      const value = await work(transaction);
      await transaction.done;
      return value;
    } catch (error) {
      // Without this call, the browser would commit the writes that came before the error.
      try {
        transaction.abort();
      } catch {
        // The transaction has already ended.
      }
      throw error;
    }
  });
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

/** All queues, with the API key of each connection. */
export interface AllQueues extends VisibleQueues {
  apiKeys: ReadonlyMap<string, string>;
}

/** Reads the API key of each connection. */
export async function loadApiKeys(transaction: WriteTransaction): Promise<ReadonlyMap<string, string>> {
  const store = transaction.objectStore('secrets');
  const [ids, keys] = await Promise.all([store.getAllKeys(), store.getAll()]);
  return new Map(ids.map((id, index) => [id, keys[index] ?? '']));
}

/**
 * Writes the records that have changed. Records are never modified in place, so a record is unchanged if it is still
 * the same object. Returns true if there are any changes.
 */
export async function writeQueues(
  transaction: WriteTransaction,
  before: AllQueues,
  after: AllQueues,
): Promise<boolean> {
  const queues = transaction.objectStore('queues');
  const requests = transaction.objectStore('requests');
  const secrets = transaction.objectStore('secrets');
  const writes = [
    ...difference(queuesById(before), queuesById(after), queues, ({ connection, state, limits }, old) => {
      const isSame = connection === old?.connection && state === old.state && limits === old.limits;
      return isSame ? Promise.resolve() : queues.put({ connection, state, limits });
    }),
    // `add` fails instead of overwriting a request that has the same id in another queue.
    ...difference(requestsById(before), requestsById(after), requests, (request, old) =>
      old?.connectionId === request.connectionId ? requests.put(request) : requests.add(request),
    ),
    ...difference([...before.apiKeys], [...after.apiKeys], secrets, (apiKey, _old, id) => secrets.put(apiKey, id)),
  ];
  await Promise.all(writes);
  return writes.length > 0;
}

type Entries<T> = (readonly [id: string, record: T])[];

/** Starts the writes that turn the first records into the second ones. */
function difference<T>(
  before: Entries<T>,
  after: Entries<T>,
  store: { delete: (id: string) => Promise<unknown> },
  write: (record: T, old: T | undefined, id: string) => Promise<unknown>,
): Promise<unknown>[] {
  const old = new Map(before);
  const kept = new Map(after);
  const changed = after.filter(([id, record]) => old.get(id) !== record);
  const gone = [...old.keys()].filter((id) => !kept.has(id));
  // Async functions, because a call may throw while other writes are pending.
  return [
    ...changed.map(async ([id, record]) => write(record, old.get(id), id)),
    ...gone.map(async (id) => store.delete(id)),
  ];
}

function queuesById({ queues }: AllQueues): Entries<Queue> {
  return queues.map((queue) => [queue.connection.id, queue]);
}

function requestsById({ queues }: AllQueues): Entries<Request> {
  return queues.flatMap(({ requests }) => requests.map((request) => [request.id, request] as const));
}

/** Maximum time to wait for another background worker, for example of the previous version, to end. */
const MAX_LOCK_WAIT_MS = 10_000;

/**
 * Waits until this background worker owns the queues. It owns them until it ends, because the browser then releases the
 * lock.
 *
 * @throws TimeoutError if another background worker still owns the queues
 */
export function ownQueues(): Promise<void> {
  return new Promise((resolve, reject) => {
    const hold = () => {
      resolve();
      return new Promise(() => undefined);
    };
    navigator.locks.request('queues', { signal: AbortSignal.timeout(MAX_LOCK_WAIT_MS) }, hold).catch(reject);
  });
}

/*
 * Tells all open pages what has changed, so that they read it again. Session storage also reaches private windows and
 * is never written to disk. A failed broadcast is ignored, because the data is already stored.
 */

const QUEUES = 'queuesRevision';
const LINKS = 'linksRevision';
const SYNC = 'syncProgress';

/** Tells open pages that queues, connections or links have changed. */
export async function broadcastChange({ queues, links }: { queues: boolean; links: boolean }): Promise<void> {
  const revision = crypto.randomUUID();
  if (queues || links) await broadcast({ ...(queues && { [QUEUES]: revision }), ...(links && { [LINKS]: revision }) });
}

/**
 * Tells open pages how many links of a connection's list have been read. In Chromium, this call also keeps the worker
 * alive while it reads a long list.
 */
export async function broadcastSyncProgress(connectionId: string, count: number): Promise<void> {
  await broadcast({ [SYNC]: { connectionId, count } });
}

/** Calls `changed` when a queue or a connection changes. Returns a function that stops watching. */
export function onQueuesChanged(changed: () => void): () => void {
  return watchSession(QUEUES, changed);
}

/** Calls `changed` when links change. Returns a function that stops watching. */
export function onLinksChanged(changed: () => void): () => void {
  return watchSession(LINKS, changed);
}

/** Calls `changed` while the background worker reads a connection's list. Returns a function that stops watching. */
export function onSyncProgress(changed: (connectionId: string, count: number) => void): () => void {
  return watchSession<{ connectionId: string; count: number }>(SYNC, (value) =>
    changed(value.connectionId, value.count),
  );
}

async function broadcast(values: Record<string, unknown>): Promise<void> {
  await browser.storage.session.set(values).catch(() => undefined);
}

/** Calls `changed` with the new value of a key in session storage. Returns a function that stops watching. */
export function watchSession<T>(key: string, changed: (value: T) => void): () => void {
  const listener = (changes: Record<string, { newValue?: unknown }>, area: string) => {
    const value = area === 'session' ? changes[key]?.newValue : undefined;
    if (value !== undefined) changed(value as T);
  };
  browser.storage.onChanged.addListener(listener);
  return () => browser.storage.onChanged.removeListener(listener);
}
