import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import type { IDBPDatabase } from 'idb';
import { type Database, openDatabase } from '../../../src/storage/database.ts';
import { Store } from '../../../src/storage/store.ts';
import { at } from '../queue/support/queue-builders.ts';
import { resetBrowser } from './fake-browser.ts';

export function freshDisk(): void {
  globalThis.indexedDB = new IDBFactory();
  resetBrowser();
}

/** Opens a store on the current database. The default clock always shows the same time. */
export async function openStore(clock: () => number = () => at()): Promise<{ store: Store; database: Database }> {
  const database = await openDatabase();
  return { store: new Store(() => Promise.resolve(database), clock), database };
}

export function byPromises(database: Database): IDBPDatabase {
  return database as unknown as IDBPDatabase;
}

export async function everythingOnDisk(database: Database): Promise<Record<string, [IDBValidKey, unknown][]>> {
  const all: Record<string, [IDBValidKey, unknown][]> = {};
  for (const name of database.objectStoreNames) {
    const keys = await byPromises(database).getAllKeys(name);
    const values = await byPromises(database).getAll(name);
    all[name] = keys.map((key, index) => [key, values[index]]);
  }
  return all;
}
