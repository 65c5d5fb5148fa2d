import { openSqliteStore } from './sqlite/index.ts';
import type { Store } from './store.ts';

/** Where the data is. */
export type DatabaseAddress = { engine: 'sqlite'; path: string };

/**
 * Opens the store and brings its schema up to date.
 *
 * @throws StoreError with a sentence for the operator
 */
export async function openStore(address: DatabaseAddress, now: number): Promise<Store> {
  return openSqliteStore(address.path, now);
}
