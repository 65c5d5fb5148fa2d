import type { ReadTransaction, WriteTransaction } from './database.ts';
import { resultOf } from './indexed-db.ts';

/** The API key of each connection, by the connection's id. */
export type ApiKeys = Map<string, string>;

export async function readKeys(transaction: ReadTransaction): Promise<ApiKeys> {
  const store = transaction.objectStore('secrets');
  const [ids, keys] = await Promise.all([resultOf(store.getAllKeys()), resultOf(store.getAll())]);
  return new Map(ids.map((id, index) => [id, keys[index] ?? '']));
}

/** Writes the keys that differ. The key of a connection that is not among `connectionIds` goes, whatever `after` says. */
export function writeKeys(
  transaction: WriteTransaction,
  before: ApiKeys,
  after: ApiKeys,
  connectionIds: string[],
): void {
  const store = transaction.objectStore('secrets');
  const kept = new Map([...after].filter(([id]) => connectionIds.includes(id)));
  for (const [id, key] of kept) if (before.get(id) !== key) store.put(key, id);
  for (const id of before.keys()) if (!kept.has(id)) store.delete(id);
}
