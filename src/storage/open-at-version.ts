import { type IDBPDatabase, type IDBPTransaction, openDB } from 'idb';

const NAME = 'terse';

/** The version that this version of the extension reads and writes: one for each migration. */
export const OPENED_VERSION = 2;

type Upgrading = IDBPTransaction<unknown, string[], 'versionchange'>;

/** One step from a version of the database to the next, within the transaction of the upgrade. */
export type Migration = (database: IDBPDatabase, transaction: Upgrading) => void | Promise<void>;

/** Brings an older database up to date: `from` is its version, 0 for none. What it throws undoes all of it. */
type Upgrade = (database: IDBPDatabase, from: number, transaction: Upgrading) => Promise<void>;

/**
 * Opens the database as it is, or as `upgrade` makes it.
 *
 * @param closed called where it was closed by another than its user
 */
export function openAtVersion(upgrade: Upgrade, closed: () => void = () => {}): Promise<IDBPDatabase> {
  let failure: unknown = null;
  const opened = openDB(NAME, OPENED_VERSION, {
    async upgrade(database, from, _to, transaction) {
      // Whoever opens the database learns of a failure; the transaction's own promise is awaited by nobody.
      transaction.done.catch(() => undefined);
      try {
        await upgrade(database, from, transaction);
      } catch (error) {
        failure = error;
        try {
          transaction.abort();
        } catch {
          // The browser has ended it already: that is what failed.
        }
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
  });
}
