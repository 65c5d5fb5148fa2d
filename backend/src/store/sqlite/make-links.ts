import type { LinkResult, LinkToMake } from '../shared/database.ts';
import type { StoredLink } from '../store.ts';
import type { Database } from './database.ts';

/** Makes links one by one, in the transaction that is open. Uniqueness is the constraint's business: nothing is looked up first. */
export function linkMaker({ prepare }: Pick<Database, 'prepare'>) {
  const insert = prepare(
    `INSERT INTO links (code, url, account_id, key_id, own_key_id, title, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (code) DO NOTHING RETURNING id`,
  );

  const beginTotal = prepare('INSERT INTO click_totals (link_id, account_id, clicks) VALUES (?, ?, 0)');

  return ({ codes, ownKeyId, ...link }: LinkToMake): LinkResult => {
    const { url, accountId, keyId, title, createdAt, expiresAt } = link;
    const tried: string[] = [];
    for (const code of codes) {
      tried.push(code);
      const row = insert.get(code, url, accountId, keyId, ownKeyId, title, createdAt, expiresAt);
      if (!row) continue;
      beginTotal.run(row.id as number, accountId);
      const made: StoredLink = { ...link, id: row.id as number, code, deletedAt: null, undoUntil: null, clicks: 0 };
      return { tried, made };
    }
    return { tried, made: null };
  };
}
