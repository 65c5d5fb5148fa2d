import type { Transaction } from './database.ts';
import type { Write } from './transaction.ts';

/** The API key of each connection, by the connection's id. */
export type ApiKeys = Map<string, string>;

export async function readKeys(transaction: Transaction<'readwrite'>): Promise<ApiKeys> {
  const store = transaction.objectStore('secrets');
  const [ids, keys] = await Promise.all([store.getAllKeys(), store.getAll()]);
  return new Map(ids.map((id, index) => [id, keys[index] ?? '']));
}

/** Writes the keys that differ. The key of a connection that is not among `connectionIds` goes, whatever `after` says. */
export function writeKeys(
  transaction: Transaction<'readwrite'>,
  before: ApiKeys,
  after: ApiKeys,
  connectionIds: string[],
): Write[] {
  const store = transaction.objectStore('secrets');
  const kept = [...after].filter(([id]) => connectionIds.includes(id));
  const gone = [...before.keys()].filter((id) => !connectionIds.includes(id) || !after.has(id));
  return [
    ...kept
      .filter(([id, key]) => before.get(id) !== key)
      .map(
        ([id, key]) =>
          () =>
            store.put(key, id),
      ),
    ...gone.map((id) => () => store.delete(id)),
  ];
}
