import type { LinkStore, LinkTarget } from '../store.ts';
import type { Database } from './database.ts';

/** By hand, since redirects wait for it: parsed once, all codes of a question in one statement. */
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
