import type { LinkOrder, LinkStore, LinkTarget, StoredLink } from '../store.ts';
import type { Database, Statement } from './database.ts';
import { linkMaker } from './make-links.ts';

const OWN_COLUMNS = `id, code, url, links.account_id AS "accountId", key_id AS "keyId", title, created_at AS "createdAt",
  expires_at AS "expiresAt", deleted_at AS "deletedAt"`;
const COLUMNS = `${OWN_COLUMNS}, coalesce((SELECT clicks FROM click_totals WHERE link_id = links.id), 0) AS clicks`;

/** Each order is a range of an index, or two: by clicks, those that never were clicked follow all that were. */
const LISTS: Record<LinkOrder, string> = {
  newest: `SELECT ${COLUMNS} FROM links
    WHERE account_id = $1 AND deleted_at IS NULL AND id < $3 ORDER BY id DESC LIMIT $2`,
  oldest: `SELECT ${COLUMNS} FROM links
    WHERE account_id = $1 AND deleted_at IS NULL AND id > $3 ORDER BY id LIMIT $2`,
  clicks: `(SELECT ${OWN_COLUMNS}, clicks FROM click_totals JOIN links ON id = link_id
      WHERE click_totals.account_id = $1 AND (clicks, link_id) < ($4, $3) AND deleted_at IS NULL
      ORDER BY clicks DESC, link_id DESC LIMIT $2)
    UNION ALL
    (SELECT ${OWN_COLUMNS}, 0 AS clicks FROM links
      WHERE account_id = $1 AND clicked = 0 AND deleted_at IS NULL AND id < $5 ORDER BY id DESC LIMIT $2)
    ORDER BY clicks DESC, id DESC LIMIT $2`,
};

export function linkStore(database: Database): LinkStore {
  const makeLinks = linkMaker(database);
  const target = database.prepare(
    `SELECT code, id, url, expires_at AS "expiresAt", deleted_at AS "deletedAt" FROM links
     WHERE code = ANY ($1::text[])`,
  );
  const find = database.prepare(`SELECT ${COLUMNS} FROM links WHERE account_id = $1 AND code = $2`);
  const total = database.prepare('SELECT clicks FROM click_totals WHERE link_id = $1');
  const newest = database.prepare(LISTS.newest);
  const oldest = database.prepare(LISTS.oldest);
  const byClicks = database.prepare(LISTS.clicks);
  const listOfKey = database.prepare(
    `SELECT ${COLUMNS} FROM links WHERE own_key_id = $1 AND deleted_at IS NULL AND id < $2 ORDER BY id DESC LIMIT $3`,
  );
  const edit = database.prepare(
    `UPDATE links SET url = coalesce($3, url), title = CASE WHEN $4::boolean THEN $5 ELSE title END,
       expires_at = CASE WHEN $6::boolean THEN $7::bigint ELSE expires_at END
     WHERE account_id = $1 AND code = $2 AND deleted_at IS NULL RETURNING ${COLUMNS}`,
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

  /** A link's place in an order follows from its id and its clicks, so its id is all that a page remembers of it. */
  async function list(order: LinkOrder, page: [account: number, most: number], after: number | null) {
    if (order === 'oldest') return database.read<StoredLink>(oldest, ...page, after ?? 0);
    const id = after ?? Number.MAX_SAFE_INTEGER;
    if (order === 'newest') return database.read<StoredLink>(newest, ...page, id);
    const clicks = after === null ? Number.MAX_SAFE_INTEGER : await clicksOf(after);
    return database.read<StoredLink>(byClicks, ...page, id, clicks, clicks === 0 ? id : Number.MAX_SAFE_INTEGER);
  }

  async function clicksOf(id: number): Promise<number> {
    return (await database.read<{ clicks: number }>(total, id))[0]?.clicks ?? 0;
  }

  return {
    async resolve(codes) {
      const rows = await database.read<LinkTarget & { code: string }>(target, codes);
      const links = new Map(rows.map(({ code, ...link }) => [code, link]));
      return codes.map((code) => links.get(code) ?? null);
    },
    changes: async () => (await database.read<{ changes: number }>(changes))[0]?.changes as number,
    find: async (accountId, code) => (await database.read<StoredLink>(find, accountId, code))[0] ?? null,
    list: (accountId, after, most, order = 'newest') => list(order, [accountId, most], after),
    listOfKey: (keyId, after, most) =>
      database.read<StoredLink>(listOfKey, keyId, after ?? Number.MAX_SAFE_INTEGER, most),
    create: (accountId, link, now) =>
      database.transaction(async (ask) => {
        const [attempt] = await makeLinks(ask, [{ ...link, accountId, keyId: null, ownKeyId: null, createdAt: now }]);
        return attempt?.made ?? null;
      }),
    edit: (accountId, code, { url = null, title, expiresAt }) =>
      database.transaction(async (ask) => {
        const given = [url, title !== undefined, title ?? null, expiresAt !== undefined, expiresAt ?? null];
        const [edited] = await ask<StoredLink>(edit, accountId, code, ...given);
        if (edited) await ask(noteChange);
        return edited ?? null;
      }),
    remove: (accountId, code, now) => change(remove, now, accountId, code),
    restore: (accountId, code, removedAt) => change(restore, accountId, code, removedAt),
  };
}
