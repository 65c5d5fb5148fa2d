import { batchLookUps } from '../batches.ts';
import { KEY_COLUMNS, type KeyRow, keyOf } from '../key-row.ts';
import type { KeyStore } from '../store.ts';
import type { Database } from './database.ts';

/** By hand, since every request of the API asks for its key: parsed once, and those of one tick ask together. */
export function keyFinder(database: Database): KeyStore['find'] {
  const byHash = database.prepare(`SELECT hash, ${KEY_COLUMNS.text} FROM api_keys WHERE hash = ANY ($1::bytea[])`);
  const find = batchLookUps(async (hashes: Uint8Array[]) => {
    const rows = await database.read<KeyRow & { hash: Buffer }>(byHash, hashes);
    const keys = new Map(rows.map(({ hash, ...key }) => [hash.toString('hex'), keyOf(key)]));
    return hashes.map((hash) => keys.get(Buffer.from(hash).toString('hex')) ?? null);
  });
  return (hash) => database.keepOpen(() => find(hash));
}
