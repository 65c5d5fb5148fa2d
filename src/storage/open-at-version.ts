import { abort, resultOf } from './indexed-db.ts';

const NAME = 'terse';

/** The version that this version of the extension reads and writes: one for each migration. */
export const OPENED_VERSION = 5;

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
