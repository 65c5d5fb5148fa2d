import type { LinkStore, LinkTarget } from '../store.ts';
import type { Database } from './database.ts';

export function linkStore(database: Database): LinkStore {
  const target = database.prepare(
    'SELECT id, url, expires_at AS expiresAt, deleted_at AS deletedAt FROM links WHERE code = ?',
  );
  const remove = database.prepare(
    'UPDATE links SET deleted_at = ? WHERE account_id = ? AND code = ? AND deleted_at IS NULL',
  );

  return {
    resolve: async (code) => (target.get(code) as unknown as LinkTarget | undefined) ?? null,
    remove: (accountId, code, now) => database.write(() => remove.run(now, accountId, code).changes === 1),
  };
}
