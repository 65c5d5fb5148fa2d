import type { PastSends } from '../queue/past-sends.ts';
import type { ReadTransaction, WriteTransaction } from './database.ts';
import { resultOf } from './indexed-db.ts';

export async function readPastSends(transaction: ReadTransaction): Promise<PastSends> {
  const store = transaction.objectStore('pastSends');
  const [ids, put] = await Promise.all([resultOf(store.getAllKeys()), resultOf(store.getAll())]);
  return new Map(put.map((one, index) => [ids[index] ?? '', one]));
}

/** Writes what differs. */
export function writePastSends(transaction: WriteTransaction, before: PastSends, after: PastSends): void {
  const store = transaction.objectStore('pastSends');
  for (const [id, put] of after) if (before.get(id) !== put) store.put(put, id);
  for (const id of before.keys()) if (!after.has(id)) store.delete(id);
}
