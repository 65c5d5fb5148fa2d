import type { LinkTarget } from '../../domain/links/stored-link.ts';
import type { LinkStore } from '../interface/link-store.ts';
import type { KeyStore } from '../interface/store.ts';
import { batchLookUps } from '../sql/batch-queries.ts';
import { KEY_COLUMNS, type KeyRow, keyOf } from '../sql/key-queries.ts';
import type { Database } from './sqlite-connection.ts';

/** Finds links for redirects. A prepared statement looks up all codes together, because redirects wait for it. */
export function linkResolver(database: Database): LinkStore['resolve'] {
  // Returns one row per code, in their order. Rows as arrays are faster than objects: these would make a look-up a
  // fifth slower.
  const targets = database.prepare(
    `SELECT links.id, url, expires_at, deleted_at FROM json_each(?) LEFT JOIN links ON code = value`,
  );
  targets.setReturnArrays(true);
  return async (codes) => (targets.all(JSON.stringify(codes)) as unknown as TargetRow[]).map(targetOf);
}

/** All fields are null if the code is unknown. */
type TargetRow = [id: number | null, url: string, expiresAt: number | null, deletedAt: number | null];

function targetOf([id, url, expiresAt, deletedAt]: TargetRow): LinkTarget | null {
  return id === null ? null : { id, url, expiresAt, deletedAt };
}

/**
 * Finds API keys. A prepared statement looks up all keys of one tick together, because every API request waits for
 * it.
 */
export function keyFinder(database: Database): KeyStore['find'] {
  // Returns one row per hash, in their order. All fields are null if the hash is unknown.
  const byHashes = database.prepare(
    `SELECT ${KEY_COLUMNS.sql} FROM json_each(?) LEFT JOIN api_keys ON hash = unhex(value)`,
  );
  return batchLookUps(async (hashes: Uint8Array[]) => {
    const asked = JSON.stringify(hashes.map((hash) => Buffer.from(hash).toString('hex')));
    const rows = byHashes.all(asked) as unknown as (KeyRow | { id: null })[];
    return rows.map((row) => (row.id === null ? null : keyOf(row)));
  });
}
