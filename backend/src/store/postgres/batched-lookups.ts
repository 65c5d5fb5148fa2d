import type { LinkTarget } from '../../domain/links/stored-link.ts';
import type { LinkStore } from '../interface/link-store.ts';
import type { KeyStore } from '../interface/store.ts';
import { batchLookUps } from '../sql/batch-queries.ts';
import { KEY_COLUMNS, type KeyRow, keyOf } from '../sql/key-queries.ts';
import { readFlag } from '../sql/link-tags.ts';
import type { Database } from './connection-pool.ts';

/**
 * Creates a function that finds links for redirects. One prepared statement looks up many short codes at once,
 * because redirects must be fast.
 */
export function linkResolver(database: Database, foldsCase: boolean): LinkStore['resolve'] {
  const code = foldsCase ? 'lower(code)' : 'code';
  // The map below keeps the last row for each code. Links that are not deleted must therefore come last.
  const order = foldsCase ? 'ORDER BY deleted_at IS NULL, id DESC' : '';
  const target = database.prepare(
    `SELECT ${code} AS code, id, url, expires_at AS "expiresAt", deleted_at AS "deletedAt",
       forward_query AS "forwardQuery" FROM links
     WHERE ${code} = ANY ($1::text[]) ${order}`,
  );
  return async (codes) => {
    const rows = await database.read<TargetRow>(target, codes);
    const links = new Map(
      rows.map(({ code, forwardQuery, ...link }) => [code, { ...link, forwardQuery: readFlag(forwardQuery) }]),
    );
    return codes.map((code) => links.get(code) ?? null);
  };
}

type TargetRow = Omit<LinkTarget, 'forwardQuery'> & { code: string; forwardQuery: number | null };

/**
 * Creates a function that finds API keys. Every API request needs this query, so one prepared statement looks up the
 * keys of many requests at once.
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
