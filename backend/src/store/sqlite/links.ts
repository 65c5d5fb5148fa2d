import type { LinkOrder, LinkStore, LinkTarget, NewLink, StoredLink } from '../store.ts';
import type { Database } from './database.ts';

const OWN_COLUMNS = `id, code, url, links.account_id AS accountId, key_id AS keyId, title, created_at AS createdAt,
  expires_at AS expiresAt, deleted_at AS deletedAt`;
const COLUMNS = `${OWN_COLUMNS}, coalesce((SELECT clicks FROM click_totals WHERE link_id = id), 0) AS clicks`;

/** Links that were clicked, by their clicks and then the newest first: one range of an index. */
const clickedWhere = (range: string) => `SELECT * FROM (
  SELECT ${OWN_COLUMNS}, clicks FROM click_totals CROSS JOIN links ON id = link_id
  WHERE click_totals.account_id = @account AND ${range} AND deleted_at IS NULL
  ORDER BY clicks DESC, link_id DESC LIMIT @most)`;

/** Each order is a range of an index, or a few: by clicks, those that never were clicked follow all that were. */
const LISTS: Record<LinkOrder, string> = {
  newest: `SELECT ${COLUMNS} FROM links
    WHERE account_id = @account AND deleted_at IS NULL AND id < @id ORDER BY id DESC LIMIT @most`,
  oldest: `SELECT ${COLUMNS} FROM links
    WHERE account_id = @account AND deleted_at IS NULL AND id > @id ORDER BY id LIMIT @most`,
  clicks: `${clickedWhere('clicks = @clicks AND link_id < @id')}
    UNION ALL ${clickedWhere('clicks < @clicks')}
    UNION ALL SELECT * FROM (
      SELECT ${OWN_COLUMNS}, 0 AS clicks FROM links
      WHERE account_id = @account AND clicked = 0 AND deleted_at IS NULL AND id < @unclicked
      ORDER BY id DESC LIMIT @most)
    ORDER BY clicks DESC, id DESC LIMIT @most`,
};

const LIST_OF_KEY = `SELECT ${COLUMNS} FROM links
  WHERE own_key_id = @key AND deleted_at IS NULL AND id < @id ORDER BY id DESC LIMIT @most`;

export function linkStore(database: Database): LinkStore {
  // One row for each code, in their order. As lists: an object of named columns costs a fifth of the look-up.
  const targets = database.prepare(
    `SELECT links.id, url, expires_at, deleted_at FROM json_each(?) LEFT JOIN links ON code = value`,
  );
  targets.setReturnArrays(true);
  const find = database.prepare(`SELECT ${COLUMNS} FROM links WHERE account_id = ? AND code = ?`);
  const total = database.prepare('SELECT clicks FROM click_totals WHERE link_id = ?');
  const newest = database.prepare(LISTS.newest);
  const oldest = database.prepare(LISTS.oldest);
  const byClicks = database.prepare(LISTS.clicks);
  const insert = database.prepare(
    `INSERT INTO links (code, url, account_id, title, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (code) DO NOTHING RETURNING id`,
  );
  const listOfKey = database.prepare(LIST_OF_KEY);
  const edit = database.prepare(
    `UPDATE links SET url = coalesce(@url, url), title = iif(@hasTitle, @title, title),
       expires_at = iif(@hasExpiry, @expiresAt, expires_at)
     WHERE account_id = @accountId AND code = @code AND deleted_at IS NULL`,
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
        keyId: null,
        title,
        createdAt: now,
        expiresAt,
        deletedAt: null,
        clicks: 0,
      };
    }
    return null;
  }

  /** A link's place in an order follows from its id and its clicks, so its id is all that a page remembers of it. */
  function list(order: LinkOrder, page: { account: number; most: number }, after: number | null) {
    if (order === 'oldest') return oldest.all({ ...page, id: after ?? 0 });
    const id = after ?? Number.MAX_SAFE_INTEGER;
    if (order === 'newest') return newest.all({ ...page, id });
    const clicks = after === null ? Number.MAX_SAFE_INTEGER : ((total.get(after)?.clicks as number | undefined) ?? 0);
    return byClicks.all({ ...page, id, clicks, unclicked: clicks === 0 ? id : Number.MAX_SAFE_INTEGER });
  }

  return {
    resolve: async (codes) => (targets.all(JSON.stringify(codes)) as unknown as TargetRow[]).map(targetOf),
    changes: async () => changes.get()?.changes as number,
    find: async (accountId, code) => (find.get(accountId, code) as unknown as StoredLink | undefined) ?? null,
    list: async (accountId, after, most, order = 'newest') =>
      list(order, { account: accountId, most }, after) as unknown as StoredLink[],
    listOfKey: async (keyId, after, most) =>
      listOfKey.all({ key: keyId, id: after ?? Number.MAX_SAFE_INTEGER, most }) as unknown as StoredLink[],
    create: (accountId, link, now) => database.write(() => create(accountId, link, now)),
    edit: (accountId, code, { url = null, title, expiresAt }) =>
      database.write(() => {
        const { changes } = edit.run({
          accountId,
          code,
          url,
          hasTitle: Number(title !== undefined),
          title: title ?? null,
          hasExpiry: Number(expiresAt !== undefined),
          expiresAt: expiresAt ?? null,
        });
        if (changes === 0) return null;
        noteChange.run();
        return find.get(accountId, code) as unknown as StoredLink;
      }),
    remove: (accountId, code, now) => change(() => remove.run(now, accountId, code)),
    restore: (accountId, code, removedAt) => change(() => restore.run(accountId, code, removedAt)),
  };
}

/** All null where there is no such link. */
type TargetRow = [id: number | null, url: string, expiresAt: number | null, deletedAt: number | null];

function targetOf([id, url, expiresAt, deletedAt]: TargetRow): LinkTarget | null {
  return id === null ? null : { id, url, expiresAt, deletedAt };
}
