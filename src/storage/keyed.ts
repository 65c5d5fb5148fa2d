import { resultOf } from './indexed-db.ts';

/* Object stores whose records do not have their key in them. */

interface Readable<T> {
  getAllKeys(): IDBRequest<string[]>;
  getAll(): IDBRequest<T[]>;
}

interface Writable<T> {
  put(value: T, key: string): IDBRequest;
  delete(key: string): IDBRequest;
}

/** Every record of a store, by its key. */
export async function readKeyed<T>(store: Readable<T>): Promise<Map<string, T>> {
  const [ids, values] = await Promise.all([resultOf(store.getAllKeys()), resultOf(store.getAll())]);
  return new Map(ids.map((id, index) => [id, values[index] as T]));
}

/** Writes what differs. */
export function writeKeyed<T>(store: Writable<T>, before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): void {
  for (const [id, value] of after) if (before.get(id) !== value) store.put(value, id);
  for (const id of before.keys()) if (!after.has(id)) store.delete(id);
}
