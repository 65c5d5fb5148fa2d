import type { LinkTarget } from '../../domain/links/stored-link.ts';
import type { LinkStore } from '../interface/link-store.ts';
import type { KeyStore } from '../interface/store.ts';
import { batchLookUps } from '../sql/batch-queries.ts';
import { KEY_COLUMNS, type KeyRow, keyOf } from '../sql/key-queries.ts';
import type { Database } from './connection-pool.ts';

/** Finds links for redirects. A prepared statement looks up all codes together, because redirects wait for it. */
export function linkResolver(database: Database): LinkStore['resolve'] {
  const target = database.prepare(
    `SELECT code, id, url, expires_at AS "expiresAt", deleted_at AS "deletedAt" FROM links
     WHERE code = ANY ($1::text[])`,
  );
  return async (codes) => {
    const rows = await database.read<LinkTarget & { code: string }>(target, codes);
    const links = new Map(rows.map(({ code, ...link }) => [code, link]));
    return codes.map((code) => links.get(code) ?? null);
  };
}

/**
 * Finds API keys. A prepared statement looks up all keys of one tick together, because every API request waits for
 * it.
 */
export function keyFinder(database: Database): KeyStore['find'] {
  const byHash = database.prepare(`SELECT hash, ${KEY_COLUMNS.text} FROM api_keys WHERE hash = ANY ($1::bytea[])`);
  const find = batchLookUps(async (hashes: Uint8Array[]) => {
    const rows = await database.read<KeyRow & { hash: Buffer }>(byHash, hashes);
    const keys = new Map(rows.map(({ hash, ...key }) => [hash.toString('hex'), keyOf(key)]));
    return hashes.map((hash) => keys.get(Buffer.from(hash).toString('hex')) ?? null);
  });
  return (hash) => database.keepOpen(() => find(hash));
}
