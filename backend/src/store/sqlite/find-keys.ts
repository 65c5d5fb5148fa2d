import { batchLookUps } from '../batches.ts';
import { KEY_COLUMNS, type KeyRow, keyOf } from '../key-row.ts';
import type { KeyStore } from '../store.ts';
import type { Database } from './database.ts';

/** By hand, since every request of the API asks for its key: prepared once, and those of one tick ask together. */
export function keyFinder(database: Database): KeyStore['find'] {
  // One row for each hash, in their order; all null where it is nobody's.
  const byHashes = database.prepare(
    `SELECT ${KEY_COLUMNS.sql} FROM json_each(?) LEFT JOIN api_keys ON hash = unhex(value)`,
  );
  return batchLookUps(async (hashes: Uint8Array[]) => {
    const asked = JSON.stringify(hashes.map((hash) => Buffer.from(hash).toString('hex')));
    const rows = byHashes.all(asked) as unknown as (KeyRow | { id: null })[];
    return rows.map((row) => (row.id === null ? null : keyOf(row)));
  });
}
