import type { IDBPDatabase, IDBPTransaction } from 'idb';

/** The browser's upgrade transaction. An error rolls it back. */
export type UpgradeTransaction = IDBPTransaction<unknown, string[], 'versionchange'>;

/** Converts the database from one version to the next, within the upgrade transaction. */
export type Migration = (database: IDBPDatabase, transaction: UpgradeTransaction) => void | Promise<void>;

export function addPastSends(database: IDBPDatabase): void {
  database.createObjectStore('pastSends');
}

/**
 * Adds an index on connection and short code, for finding the stored link that matches an entry in a service's list.
 */
export function addLinksByCode(_database: IDBPDatabase, transaction: UpgradeTransaction): void {
  transaction.objectStore('links').createIndex('code', ['connectionId', 'shortCode']);
}

export function addGroups(database: IDBPDatabase): void {
  database.createObjectStore('groups', { keyPath: 'id' }).createIndex('createdAt', 'createdAt');
}
