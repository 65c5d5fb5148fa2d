import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Budget, ConnectionInfo, Link, QueueState, Request } from '../queue/types.ts';

export interface Schema extends DBSchema {
  requests: { key: string; value: Request };
  links: { key: string; value: Link; indexes: { createdAt: number; url: string } };
  /** Single records, and one budget a connection. */
  state: { key: StateKey; value: QueueState | ConnectionInfo | Budget };
  /** Apart from everything that pages read: the API key of the connection. */
  secrets: { key: 'apiKey'; value: string };
}
export type StateKey = 'queue' | 'connection' | `budget:${string}`;
export type Database = IDBPDatabase<Schema>;

const NAME = 'terse';

/**
 * Each step takes the database from the version of its index to the next. Released steps are never changed: whoever
 * installed an old version still has to walk them.
 */
const MIGRATIONS: ((database: Database) => void)[] = [
  (database) => {
    database.createObjectStore('requests', { keyPath: 'id' });
    const links = database.createObjectStore('links', { keyPath: 'id' });
    links.createIndex('createdAt', 'createdAt');
    links.createIndex('url', 'url');
    database.createObjectStore('state');
    database.createObjectStore('secrets');
  },
];

export const DATABASE_VERSION = MIGRATIONS.length;

/**
 * Opens the extension's database, bringing it up to date. One written by a newer version of the extension is refused
 * by the browser with a `VersionError`, untouched.
 *
 * @param closed called where it was closed by another than its user: it is of no use any more, and can be opened anew
 */
export function openDatabase(closed: () => void = () => {}): Promise<Database> {
  return openDB<Schema>(NAME, DATABASE_VERSION, {
    upgrade(database, from) {
      for (const migrate of MIGRATIONS.slice(from)) migrate(database);
    },
    // A newer version wants to open it: stand aside, or an update waits for every page to close.
    blocking: (_current, _blocked, event) => {
      (event.target as IDBDatabase).close();
      closed();
    },
    // The browser closed it: site data were cleared, or the disk failed.
    terminated: closed,
  });
}
