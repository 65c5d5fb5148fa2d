import type { LinkOrder, LinkStore, LinkTarget, NewLink, StoredLink } from '../store.ts';
import type { Database } from './database.ts';

const COLUMNS = `id, code, url, account_id AS accountId, title, created_at AS createdAt, expires_at AS expiresAt,
  deleted_at AS deletedAt,
  coalesce((SELECT clicks FROM click_totals WHERE link_id = links.id), 0) AS clicks`;

/**
 * A link's place in an order follows from its row, so an id is all that a page remembers of the one before it. The first
 * two are ranges of an index; to sort by clicks, all of an account's links are looked at.
 */
const ORDERS: Record<LinkOrder, { after: string; by: string }> = {
  newest: { after: `id < coalesce(@after, ${Number.MAX_SAFE_INTEGER})`, by: 'id DESC' },
  oldest: { after: 'id > coalesce(@after, 0)', by: 'id' },
  clicks: {
    after: `(@after IS NULL
      OR (clicks, id) < (coalesce((SELECT clicks FROM click_totals WHERE link_id = @after), 0), @after))`,
    by: 'clicks DESC, id DESC',
  },
};

export function linkStore(database: Database): LinkStore {
  const target = database.prepare('SELECT id, url, expires_at, deleted_at FROM links WHERE code = ?');
  // As a list: an object of named columns costs a fifth of the look-up, and more memory while it is at hand.
  target.setReturnArrays(true);
  const find = database.prepare(`SELECT ${COLUMNS} FROM links WHERE account_id = ? AND code = ?`);
  const lists = Object.fromEntries(
    Object.entries(ORDERS).map(([order, { after, by }]) => [
      order,
      database.prepare(
        `SELECT ${COLUMNS} FROM links
         WHERE account_id = @account AND deleted_at IS NULL AND ${after}
         ORDER BY ${by} LIMIT @most`,
      ),
    ]),
  ) as Record<LinkOrder, ReturnType<Database['prepare']>>;
  const insert = database.prepare(
    `INSERT INTO links (code, url, account_id, title, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (code) DO NOTHING RETURNING id`,
  );
  const edit = database.prepare(
    'UPDATE links SET title = ?, expires_at = ? WHERE account_id = ? AND code = ? AND deleted_at IS NULL',
  );
  const remove = database.prepare(
    'UPDATE links SET deleted_at = ? WHERE account_id = ? AND code = ? AND deleted_at IS NULL',
  );

  const restore = database.prepare(
    'UPDATE links SET deleted_at = NULL WHERE account_id = ? AND code = ? AND deleted_at = ?',
  );

  const changes = database.prepare('SELECT changes FROM link_changes WHERE one = 1');
  const noteChange = database.prepare('UPDATE link_changes SET changes = changes + 1 WHERE one = 1');

  /** Carries out a change of one link; false where there was none to change. */
  const change = (run: () => { changes: number | bigint }): Promise<boolean> =>
    database.write(() => {
      const changed = run().changes === 1;
      if (changed) noteChange.run();
      return changed;
    });

  function create(accountId: number, { codes, url, title, expiresAt }: NewLink, now: number): StoredLink | null {
    for (const code of codes) {
      const row = insert.get(code, url, accountId, title, now, expiresAt);
      if (!row) continue;
      return {
        id: row.id as number,
        code,
        url,
        accountId,
        title,
        createdAt: now,
        expiresAt,
        deletedAt: null,
        clicks: 0,
      };
    }
    return null;
  }

  return {
    resolve: async (code) => targetOf(target.get(code) as unknown as TargetRow | undefined),
    changes: async () => changes.get()?.changes as number,
    find: async (accountId, code) => (find.get(accountId, code) as unknown as StoredLink | undefined) ?? null,
    list: async (accountId, after, most, order = 'newest') =>
      lists[order].all({ account: accountId, after, most }) as unknown as StoredLink[],
    create: (accountId, link, now) => database.write(() => create(accountId, link, now)),
    edit: (accountId, code, { title, expiresAt }) => change(() => edit.run(title, expiresAt, accountId, code)),
    remove: (accountId, code, now) => change(() => remove.run(now, accountId, code)),
    restore: (accountId, code, removedAt) => change(() => restore.run(accountId, code, removedAt)),
  };
}

type TargetRow = [id: number, url: string, expiresAt: number | null, deletedAt: number | null];

function targetOf(row: TargetRow | undefined): LinkTarget | null {
  return row ? { id: row[0], url: row[1], expiresAt: row[2], deletedAt: row[3] } : null;
}
