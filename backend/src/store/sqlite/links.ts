import type { LinkStore, LinkTarget, StoredLink } from '../store.ts';
import type { Database } from './database.ts';

const COLUMNS = `id, code, url, account_id AS accountId, title, created_at AS createdAt, expires_at AS expiresAt,
  deleted_at AS deletedAt,
  coalesce((SELECT clicks FROM click_totals WHERE link_id = links.id), 0) AS clicks`;

export function linkStore(database: Database): LinkStore {
  const target = database.prepare(
    'SELECT id, url, expires_at AS expiresAt, deleted_at AS deletedAt FROM links WHERE code = ?',
  );
  const find = database.prepare(`SELECT ${COLUMNS} FROM links WHERE account_id = ? AND code = ?`);
  const list = database.prepare(
    `SELECT ${COLUMNS} FROM links WHERE account_id = ? AND id < ? AND deleted_at IS NULL ORDER BY id DESC LIMIT ?`,
  );
  const remove = database.prepare(
    'UPDATE links SET deleted_at = ? WHERE account_id = ? AND code = ? AND deleted_at IS NULL',
  );

  return {
    resolve: async (code) => (target.get(code) as unknown as LinkTarget | undefined) ?? null,
    find: async (accountId, code) => (find.get(accountId, code) as unknown as StoredLink | undefined) ?? null,
    list: async (accountId, before, most) =>
      list.all(accountId, before ?? Number.MAX_SAFE_INTEGER, most) as unknown as StoredLink[],
    remove: (accountId, code, now) => database.write(() => remove.run(now, accountId, code).changes === 1),
  };
}
