import type { KeyStore, LinkStore, LinkTarget } from '../interface/store.ts';
import { batchLookUps } from '../sql/batch-queries.ts';
import { KEY_COLUMNS, type KeyRow, keyOf } from '../sql/key-queries.ts';
import type { Database } from './sqlite-connection.ts';

/** By hand, since redirects wait for it: prepared once, all codes of a question in one statement. */
export function linkResolver(database: Database): LinkStore['resolve'] {
  // One row for each code, in their order. As lists: an object of named columns costs a fifth of the look-up.
  const targets = database.prepare(
    `SELECT links.id, url, expires_at, deleted_at FROM json_each(?) LEFT JOIN links ON code = value`,
  );
  targets.setReturnArrays(true);
  return async (codes) => (targets.all(JSON.stringify(codes)) as unknown as TargetRow[]).map(targetOf);
}

/** All null where there is no such link. */
type TargetRow = [id: number | null, url: string, expiresAt: number | null, deletedAt: number | null];

function targetOf([id, url, expiresAt, deletedAt]: TargetRow): LinkTarget | null {
  return id === null ? null : { id, url, expiresAt, deletedAt };
}

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
