import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { ChargedQuota } from '../../domain/limits/account-quotas.ts';
import { foldCode } from '../../domain/links/short-codes.ts';
import { splitStoredCode } from '../../domain/links/short-domains.ts';
import type { LinkTarget, NewLink, StoredLink } from '../../domain/links/stored-link.ts';
import { tagKey } from '../../domain/links/titles-and-tags.ts';
import type { LinkOrder, LinkPosition, LinkStore, TagOrder, Undo } from '../interface/link-store.ts';
import { createOnce } from './form-submissions.ts';
import { insertLink } from './insert-links.ts';
import { chargeAccount } from './limit-usage.ts';
import { changesSince, deleteChanges, recordChange } from './link-changes.ts';
import { type LinkRow, linkOf, readFlag, replaceTags, TAGS_COLUMN, writeFlag } from './link-tags.ts';
import { PREPARED, type Run, type SharedDatabase } from './sql-runner.ts';

const OWN_COLUMNS = sql`id, code, url, links.account_id AS "accountId", key_id AS "keyId", title,
  created_at AS "createdAt", expires_at AS "expiresAt", deleted_at AS "deletedAt",
  undo_until AS "undoUntil", forward_query AS "forwardQuery", imported_clicks AS "importedClicks", ${TAGS_COLUMN}`;
const COLUMNS = sql`${OWN_COLUMNS}, coalesce((SELECT clicks FROM click_totals WHERE link_id = links.id), 0) AS clicks`;

/** Position before the oldest link. `LAST` is the position after the newest link. */
export const FIRST: LinkPosition = { createdAt: Number.MIN_SAFE_INTEGER, id: 0 };
export const LAST: LinkPosition = { createdAt: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

/** Character that follows `/` in the sort order of the database. */
const AFTER_SLASH = '0';
/** Text that sorts after all stored codes of the form `//host/code`. */
const AFTER_HOSTS = `/${AFTER_SLASH}`;

interface Page {
  account: number;
  max: number;
}

const TARGET = sql`SELECT id, url, expires_at AS "expiresAt", deleted_at AS "deletedAt",
  forward_query AS "forwardQuery" FROM links`;

export type TargetRow = Omit<LinkTarget, 'forwardQuery'> & { forwardQuery: number | null };

/** Returns the statement that finds the target of a short code. */
export function selectTarget(code: string, foldsCase: boolean): Sql {
  return foldsCase
    ? sql`${TARGET} WHERE lower(code) = ${code} ORDER BY deleted_at IS NOT NULL, id LIMIT 1`
    : sql`${TARGET} WHERE code = ${code}`;
}

export function targetOf(row: TargetRow | undefined): LinkTarget | null {
  return row ? { ...row, forwardQuery: readFlag(row.forwardQuery) } : null;
}

export function linkStore(database: SharedDatabase): LinkStore {
  const { read, write, transaction, rowLock, foldsCase } = database;

  /**
   * Applies `change` to the link that matches `condition` and returns the changed link. Returns null if no link
   * matches. If the change deletes the link, also removes the link from lists.
   *
   * @param tags new tags of the link; if undefined, the tags stay unchanged
   */
  const change = (change: Sql, condition: Sql, tags?: string[]): Promise<StoredLink | null> =>
    transaction(async ({ run }) => {
      const [row] = await run<LinkRow>(sql`UPDATE links SET ${change} WHERE ${condition} RETURNING ${COLUMNS}`);
      if (!row) return null;
      const changed = { ...linkOf(row), ...(tags && { tags }) };
      if (tags) await replaceTags(run, changed);
      const { id, accountId, deletedAt } = changed;
      await setListed(run, sql`${id}`, deletedAt === null ? accountId : null);
      await recordChange(run, [changed.code]);
      return changed;
    });

  /**
   * Changes several links of an account and returns their short codes.
   *
   * @param isListed false if the links should no longer appear in lists
   */
  const changeAll = (account: number, change: Sql, those: Sql, isListed: boolean): Promise<string[]> =>
    transaction(async ({ run }) => {
      // Locks the links in a fixed order to prevent deadlocks.
      const found = await run<{ id: number; code: string }>(
        sql`SELECT id, code FROM links WHERE account_id = ${account} AND ${those} ${rowLock}`,
      );
      if (found.length === 0) return [];
      const ids = join(found.map(({ id }) => id));
      await run(sql`UPDATE links SET ${change} WHERE id IN (${ids})`);
      await setListed(run, ids, isListed ? account : null);
      const codes = found.map(({ code }) => code);
      await recordChange(run, codes);
      return codes;
    });

  async function createOne(run: Run, accountId: number, link: NewLink, now: number): Promise<StoredLink | null> {
    const { made } = await insertLink(
      run,
      { ...link, accountId, keyId: null, ownKeyId: null, createdAt: now },
      foldsCase,
    );
    return made;
  }

  const readLinks = async (statement: Sql) => (await read<LinkRow>(statement)).map(linkOf);

  async function list(order: LinkOrder, page: Page, after: LinkPosition | null): Promise<StoredLink[]> {
    if (order === 'oldest') return readLinks(oldest(page, after ?? FIRST));
    if (order === 'newest') return readLinks(newest(page, after ?? LAST));
    if (after === null) return readLinks(byClicks(page, LAST.id, LAST.id));
    const [total] = await read<{ clicks: number }>(sql`SELECT clicks FROM click_totals WHERE link_id = ${after.id}`);
    return readLinks(byClicks(page, after.id, total?.clicks ?? 0));
  }

  /**
   * Returns the hosts of all domains except the default domain. Reads only one link per host, so this is fast for any
   * number of links.
   */
  async function hosts(): Promise<string[]> {
    const found: string[] = [];
    for (let after = '//'; ; ) {
      const [link] = await read<{ code: string }>(
        sql`SELECT code FROM links WHERE code >= ${after} AND code < ${AFTER_HOSTS} ORDER BY code LIMIT 1`,
      );
      if (!link) return found;
      const { host } = splitStoredCode(link.code);
      found.push(host);
      after = `//${host}${AFTER_SLASH}`;
    }
  }

  return {
    hosts,
    async resolve(code) {
      const [row] = await read<TargetRow>(selectTarget(code, foldsCase), PREPARED);
      return targetOf(row);
    },
    changesSince: (last) => changesSince(read, last),
    forgetChanges: (kept) => deleteChanges(read, write, kept),
    async find(accountId, code) {
      const [link] = await readLinks(
        foldsCase
          ? sql`SELECT ${COLUMNS} FROM links WHERE account_id = ${accountId} AND lower(code) = ${foldCode(code)}
              ORDER BY code = ${code} DESC, deleted_at IS NOT NULL, id LIMIT 1`
          : sql`SELECT ${COLUMNS} FROM links WHERE account_id = ${accountId} AND code = ${code}`,
      );
      return link ?? null;
    },
    list: (accountId, after, max, order = 'newest') => list(order, { account: accountId, max }, after),
    listTagged: (accountId, tag, after, max, order) =>
      readLinks(tagged({ account: accountId, max }, tagKey(tag), after, order)),
    async count(accountId, max) {
      const [row] = await read<{ count: number }>(sql`SELECT count(*) AS count FROM
        (SELECT 1 FROM links WHERE account_id = ${accountId} AND deleted_at IS NULL LIMIT ${max}) AS counted`);
      return row?.count ?? 0;
    },
    listOfKey: (keyId, after, max) =>
      readLinks(sql`SELECT ${COLUMNS} FROM links
        WHERE own_key_id = ${keyId} AND deleted_at IS NULL AND id < ${(after ?? LAST).id} ORDER BY id DESC LIMIT ${max}`),
    create: (accountId, link, now) => transaction(({ run }) => createOne(run, accountId, link, now)),
    createFromForm: (accountId, link, { submission, quota, now }) =>
      transaction(async ({ run }) => {
        let spent: ChargedQuota | null = null;
        const { result } = await createOnce(run, { rowLock }, { accountId, submission, now }, async () => {
          const charge = { accountId, quota: 'links', units: 1 } as const;
          if (quota !== null) spent = await chargeAccount(run, database, { ...charge, max: quota });
          if (spent?.granted === 0) return null;
          return (await createOne(run, accountId, link, now))?.code ?? null;
        });
        return { code: result, spent };
      }),
    edit: (accountId, code, { url, title, expiresAt, forwardQuery, tags }) =>
      change(
        sql`url = ${url === undefined ? sql`url` : url}, title = ${title === undefined ? sql`title` : title},
          expires_at = ${expiresAt === undefined ? sql`expires_at` : expiresAt},
          forward_query = ${forwardQuery === undefined ? sql`forward_query` : writeFlag(forwardQuery)}`,
        sql`account_id = ${accountId} AND code = ${code} AND deleted_at IS NULL`,
        tags,
      ),
    async remove(accountId, code, now, undoUntil) {
      const condition = sql`account_id = ${accountId} AND code = ${code} AND deleted_at IS NULL`;
      return (await change(sql`deleted_at = ${now}, undo_until = ${undoUntil ?? null}`, condition)) !== null;
    },
    async findAll(accountId, codes) {
      if (codes.length === 0) return [];
      return readLinks(sql`SELECT ${COLUMNS} FROM links
        WHERE account_id = ${accountId} AND code IN (${join([...codes])}) AND deleted_at IS NULL
        ORDER BY created_at DESC, id DESC`);
    },
    async removeAll(accountId, codes, now, undoUntil) {
      if (codes.length === 0) return [];
      const those = sql`code IN (${join([...codes])}) AND deleted_at IS NULL ORDER BY id`;
      return changeAll(accountId, sql`deleted_at = ${now}, undo_until = ${undoUntil}`, those, false);
    },
    async countRestorable(accountId, undo) {
      const [row] = await read<{ count: number }>(restorableOf(accountId, undo));
      return row?.count ?? 0;
    },
    restoreAll: (accountId, undo, max) =>
      changeAll(
        accountId,
        sql`deleted_at = NULL, undo_until = NULL`,
        sql`${restorable(undo)} ORDER BY id LIMIT ${max}`,
        true,
      ),
    async takeDown(code, now) {
      const final = sql`deleted_at = coalesce(deleted_at, ${now}), undo_until = NULL`;
      return (await change(final, sql`code = ${code}`)) !== null;
    },
    async restore(accountId, code, undo) {
      const condition = sql`account_id = ${accountId} AND code = ${code} AND ${restorable(undo)}`;
      return (await change(sql`deleted_at = NULL, undo_until = NULL`, condition)) !== null;
    },
  };
}

/**
 * Adds links to the lists that are sorted by clicks or filtered by tag. If `account` is null, removes the links from
 * these lists.
 */
async function setListed(run: Run, ids: Sql, account: number | null): Promise<void> {
  await run(sql`UPDATE click_totals SET account_id = ${account} WHERE link_id IN (${ids})`);
  await run(sql`UPDATE link_tags SET account_id = ${account} WHERE link_id IN (${ids})`);
}

export function restorableOf(account: number, undo: Undo): Sql {
  return sql`SELECT count(*) AS count FROM links WHERE account_id = ${account} AND ${restorable(undo)}`;
}

function restorable({ deletedAt, now }: Undo): Sql {
  return sql`deleted_at = ${deletedAt} AND undo_until >= ${now}`;
}

export function newest({ account, max }: Page, before: LinkPosition): Sql {
  const { createdAt, id } = before;
  return inTwoParts(
    [sql`created_at = ${createdAt} AND id < ${id}`, sql`created_at < ${createdAt}`].map(
      (range) => sql`SELECT ${COLUMNS} FROM links WHERE account_id = ${account} AND deleted_at IS NULL AND ${range}
        ORDER BY deleted_at DESC, created_at DESC, id DESC LIMIT ${max}`,
    ),
    sql`"createdAt" DESC, id DESC LIMIT ${max}`,
  );
}

export function oldest({ account, max }: Page, after: LinkPosition): Sql {
  const { createdAt, id } = after;
  return inTwoParts(
    [sql`created_at = ${createdAt} AND id > ${id}`, sql`created_at > ${createdAt}`].map(
      (range) => sql`SELECT ${COLUMNS} FROM links WHERE account_id = ${account} AND deleted_at IS NULL AND ${range}
        ORDER BY deleted_at, created_at, id LIMIT ${max}`,
    ),
    sql`"createdAt", id LIMIT ${max}`,
  );
}

/**
 * Combines two queries for one page of a list, so that each query can use an index. The first query selects links
 * with the same sort value as the last link of the previous page. The second query selects the links after these.
 * With a single condition such as `(created_at, id) < (?, ?)`, SQLite would search the index only by `created_at`.
 *
 * The queries by creation time also sort by `deleted_at`, although its value is always null. Otherwise, PostgreSQL
 * would not use the index.
 */
function inTwoParts([level, rest]: Sql[], order: Sql): Sql {
  return sql`SELECT * FROM (${level}) AS level UNION ALL SELECT * FROM (${rest}) AS rest ORDER BY ${order}`;
}

export function tagged({ account, max }: Page, key: string, after: LinkPosition | null, order: TagOrder): Sql {
  const isNewest = order === 'newest';
  const { createdAt, id } = after ?? (isNewest ? LAST : FIRST);
  const [operator, direction] = isNewest ? [raw('<'), raw('DESC')] : [raw('>'), raw('ASC')];
  return sql`SELECT ${COLUMNS} FROM link_tags JOIN links ON id = link_id
    WHERE link_tags.account_id = ${account} AND tag_key = ${key}
      AND (link_created_at, link_id) ${operator} (${createdAt}, ${id}) AND deleted_at IS NULL
    ORDER BY link_created_at ${direction}, link_id ${direction} LIMIT ${max}`;
}

/**
 * Lists links by number of clicks, starting after the last link on the previous page.
 *
 * @param after id of the last link on the previous page
 * @param clicks number of clicks on the last link of the previous page
 */
export function byClicks(page: Page, after: number, clicks: number): Sql {
  return inTwoParts(
    [inRange(page, sql`clicks = ${clicks} AND link_id < ${after}`), inRange(page, sql`clicks < ${clicks}`)],
    sql`clicks DESC, id DESC LIMIT ${page.max}`,
  );
}

function inRange({ account, max }: Page, range: Sql): Sql {
  return sql`SELECT ${OWN_COLUMNS}, clicks FROM click_totals JOIN links ON id = link_id
    WHERE click_totals.account_id = ${account} AND ${range} AND deleted_at IS NULL
    ORDER BY clicks DESC, link_id DESC LIMIT ${max}`;
}
