import type { LinkTarget } from '../../domain/links/stored-link.ts';
import type { LinkStore } from '../interface/link-store.ts';
import type { KeyStore } from '../interface/store.ts';
import { batchLookUps } from '../sql/batch-queries.ts';
import { KEY_COLUMNS, type KeyRow, keyOf } from '../sql/key-queries.ts';
import { readFlag } from '../sql/link-tags.ts';
import type { Database } from './sqlite-connection.ts';

/**
 * Creates a function that finds links for redirects. One prepared statement looks up many short codes at once,
 * because redirects must be fast.
 */
export function linkResolver(database: Database, foldsCase: boolean): LinkStore['resolve'] {
  // If several codes differ only in case, prefers a link that is not deleted.
  const condition = foldsCase
    ? 'links.id = (SELECT id FROM links WHERE lower(code) = value ORDER BY deleted_at IS NOT NULL, id LIMIT 1)'
    : 'code = value';
  const targets = database.prepare(
    `SELECT links.id, url, expires_at, deleted_at, forward_query FROM json_each(?) LEFT JOIN links ON ${condition}`,
  );
  targets.setReturnArrays(true);
  return async (codes) => (targets.all(JSON.stringify(codes)) as unknown as TargetRow[]).map(targetOf);
}

type TargetRow = [
  id: number | null,
  url: string,
  expiresAt: number | null,
  deletedAt: number | null,
  forwardQuery: number | null,
];

function targetOf([id, url, expiresAt, deletedAt, forwardQuery]: TargetRow): LinkTarget | null {
  return id === null ? null : { id, url, expiresAt, deletedAt, forwardQuery: readFlag(forwardQuery) };
}

/**
 * Creates a function that finds API keys. Every API request needs this query, so one prepared statement looks up the
 * keys of many requests at once.
 */
export function keyFinder(database: Database): KeyStore['find'] {
  // The statement returns one row for each hash, in the same order. All columns are null if no key has the hash.
  const byHashes = database.prepare(
    `SELECT ${KEY_COLUMNS.sql} FROM json_each(?) LEFT JOIN api_keys ON hash = unhex(value)`,
  );
  return batchLookUps(async (hashes: Uint8Array[]) => {
    const asked = JSON.stringify(hashes.map((hash) => Buffer.from(hash).toString('hex')));
    const rows = byHashes.all(asked) as unknown as (KeyRow | { id: null })[];
    return rows.map((row) => (row.id === null ? null : keyOf(row)));
  });
}
