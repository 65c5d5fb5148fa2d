import type { LinkOrder, LinkStore, LinkTarget, StoredLink } from '../store.ts';
import type { Database, Statement } from './database.ts';
import { linkMaker } from './make-links.ts';

const CLICKS = 'coalesce((SELECT clicks FROM click_totals WHERE link_id = links.id), 0)';
const COLUMNS = `id, code, url, account_id AS "accountId", title, created_at AS "createdAt",
  expires_at AS "expiresAt", deleted_at AS "deletedAt", ${CLICKS} AS clicks`;

/**
 * A link's place in an order follows from its row, so an id is all that a page remembers of the one before it. The first
 * two are ranges of an index; to sort by clicks, all of an account's links are looked at.
 */
const ORDERS: Record<LinkOrder, { after: string; by: string }> = {
  newest: { after: `id < coalesce($2::bigint, ${Number.MAX_SAFE_INTEGER})`, by: 'id DESC' },
  oldest: { after: 'id > coalesce($2::bigint, 0)', by: 'id' },
  clicks: {
    after: `($2::bigint IS NULL
      OR (${CLICKS}, id) < (coalesce((SELECT clicks FROM click_totals WHERE link_id = $2::bigint), 0), $2::bigint))`,
    by: 'clicks DESC, id DESC',
  },
};

export function linkStore(database: Database): LinkStore {
  const makeLinks = linkMaker(database);
  const target = database.prepare(
    'SELECT id, url, expires_at AS "expiresAt", deleted_at AS "deletedAt" FROM links WHERE code = $1',
  );
  const find = database.prepare(`SELECT ${COLUMNS} FROM links WHERE account_id = $1 AND code = $2`);
  const lists = Object.fromEntries(
    Object.entries(ORDERS).map(([order, { after, by }]) => [
      order,
      database.prepare(
        `SELECT ${COLUMNS} FROM links
         WHERE account_id = $1 AND deleted_at IS NULL AND ${after} ORDER BY ${by} LIMIT $3`,
      ),
    ]),
  ) as Record<LinkOrder, Statement>;
  const edit = database.prepare(
    `UPDATE links SET title = $1, expires_at = $2
     WHERE account_id = $3 AND code = $4 AND deleted_at IS NULL RETURNING id`,
  );
  const remove = database.prepare(
    'UPDATE links SET deleted_at = $1 WHERE account_id = $2 AND code = $3 AND deleted_at IS NULL RETURNING id',
  );
  const restore = database.prepare(
    'UPDATE links SET deleted_at = NULL WHERE account_id = $1 AND code = $2 AND deleted_at = $3 RETURNING id',
  );

  const changes = database.prepare('SELECT changes FROM link_changes WHERE one = 1');
  const noteChange = database.prepare('UPDATE link_changes SET changes = changes + 1 WHERE one = 1');

  /** Carries out a change of one link; false where there was none to change. */
  const change = (statement: Statement, ...values: unknown[]): Promise<boolean> =>
    database.transaction(async (ask) => {
      const changed = (await ask(statement, ...values)).length === 1;
      if (changed) await ask(noteChange);
      return changed;
    });

  return {
    resolve: async (code) => (await database.read<LinkTarget>(target, code))[0] ?? null,
    changes: async () => (await database.read<{ changes: number }>(changes))[0]?.changes as number,
    find: async (accountId, code) => (await database.read<StoredLink>(find, accountId, code))[0] ?? null,
    list: (accountId, after, most, order = 'newest') => database.read<StoredLink>(lists[order], accountId, after, most),
    create: (accountId, link, now) =>
      database.transaction(async (ask) => {
        const [attempt] = await makeLinks(ask, { accountId, keyId: null }, [{ ...link, createdAt: now }]);
        return attempt?.made ?? null;
      }),
    edit: (accountId, code, { title, expiresAt }) => change(edit, title, expiresAt, accountId, code),
    remove: (accountId, code, now) => change(remove, now, accountId, code),
    restore: (accountId, code, removedAt) => change(restore, accountId, code, removedAt),
  };
}
