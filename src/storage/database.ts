import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb';
import type { Attempt, Budget, Connection, Link, QueueState, Request } from '../queue/types.ts';
import { createFirst } from './migrations/0001-first.ts';
import { toOneQueueAConnection } from './migrations/0002-one-queue-a-connection.ts';

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

const NAME = 'terse';

/**
 * Each step takes the database from the version of its index to the next, within the transaction of the upgrade. Released
 * steps are never changed: whoever installed an old version still has to go through them.
 */
const MIGRATIONS: ((
  database: IDBPDatabase,
  transaction: IDBPTransaction<unknown, string[], 'versionchange'>,
) => void | Promise<void>)[] = [createFirst, toOneQueueAConnection];

export const DATABASE_VERSION = MIGRATIONS.length;

/**
 * Opens the extension's database, bringing it up to date. One written by a newer version of the extension is refused
 * by the browser with a `VersionError`, untouched. A migration that fails leaves everything as it was.
 *
 * @param closed called where it was closed by another than its user: it is of no use any more, and can be opened anew
 */
export async function openDatabase(closed: () => void = () => {}): Promise<Database> {
  let failure: unknown = null;
  const opened = openDB(NAME, DATABASE_VERSION, {
    async upgrade(database, from, _to, transaction) {
      // Whoever opens the database learns of a failure; the transaction's own promise is awaited by nobody.
      transaction.done.catch(() => undefined);
      try {
        for (const migrate of MIGRATIONS.slice(from)) await migrate(database, transaction);
      } catch (error) {
        failure = error;
        transaction.abort();
      }
    },
    // A newer version wants to open it: stand aside, or an update waits for every page to close.
    blocking: (_current, _blocked, event) => {
      (event.target as IDBDatabase).close();
      closed();
    },
    // The browser closed it: site data were cleared, or the disk failed.
    terminated: closed,
  });
  return opened.catch((error) => {
    throw failure ?? error;
  }) as Promise<IDBPDatabase<unknown>> as Promise<Database>;
}
