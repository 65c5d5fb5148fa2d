import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type { Attempt, Budget, Connection, Link, QueueState, Request } from '../queue/types.ts';
import { createFirst } from './migrations/0001-first.ts';
import { toOneQueueAConnection } from './migrations/0002-one-queue-a-connection.ts';
import { type Migration, type OPENED_VERSION, openAtVersion } from './open-at-version.ts';

export interface Schema extends DBSchema {
  connections: { key: string; value: Connection };
  /** Apart from everything that pages read: the API key of each connection, by the connection's id. */
  secrets: { key: string; value: string };
  queues: { key: string; value: QueueRecord };
  attempts: { key: string; value: Attempt; indexes: { connectionId: string } };
  /** Those of no connection are in no index: they are found among all. */
  requests: { key: string; value: Request; indexes: { connectionId: string; groupId: string } };
  links: {
    key: string;
    value: Link;
    indexes: { createdAt: number; url: string; shortUrl: string; connectionId: string };
  };
}

/** What a queue keeps besides its attempts and requests. */
export interface QueueRecord {
  connectionId: string;
  /** A new one at each write of the queue, its attempts or its requests. */
  revision: string;
  state: QueueState;
  budget: Budget;
}

export type Database = IDBPDatabase<Schema>;
export type StoreName = StoreNames<Schema>;
export type Transaction<Mode extends IDBTransactionMode> = IDBPTransaction<Schema, StoreName[], Mode>;

/**
 * Each step takes the database from the version of its index to the next, within the transaction of the upgrade. Released
 * steps are never changed: whoever installed an old version still has to go through them.
 */
const MIGRATIONS: [Migration, Migration] = [createFirst, toOneQueueAConnection];

/** `open-at-version.ts` opens at this version, for pages too, which do not load the steps. */
export const DATABASE_VERSION: typeof OPENED_VERSION = MIGRATIONS.length;

/**
 * Opens the extension's database, bringing it up to date. One written by a newer version of the extension is refused
 * by the browser with a `VersionError`, untouched. A migration that fails leaves everything as it was.
 *
 * @param closed called where it was closed by another than its user: it is of no use any more, and can be opened anew
 */
export function openDatabase(closed: () => void = () => {}): Promise<Database> {
  const opened = openAtVersion(async (database, from, transaction) => {
    for (const migrate of MIGRATIONS.slice(from)) await migrate(database, transaction);
  }, closed);
  return opened as Promise<IDBPDatabase<unknown>> as Promise<Database>;
}
