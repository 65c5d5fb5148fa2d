import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { ChargedQuota } from '../../domain/limits/create-requests.ts';
import { tagKey } from '../../domain/links/link-rules.ts';
import { foldCode } from '../../domain/links/short-codes.ts';
import { splitStoredCode } from '../../domain/links/short-domains.ts';
import type { LinkEdit, LinkTarget, NewLink, StoredLink } from '../../domain/links/stored-link.ts';
import { createOnce } from './form-submissions.ts';
import { chargeAccount } from './limit-usage.ts';
import { changesSince, deleteChanges, recordChange } from './link-changes.ts';
import { insertLink, type LinkRow, linkOf, readFlag, replaceTags, TAGS_COLUMN, writeFlag } from './link-rows.ts';
import { PREPARED, type Run, type SharedDatabase } from './sql-runner.ts';

/** Position in a list of links, from which the next page starts. The position stays valid if the link is deleted. */
export type LinkPosition = Pick<StoredLink, 'id' | 'createdAt'>;

/** Sort order of a list of links. Links with the same creation time or the same number of clicks are sorted by id. */
export type LinkOrder = 'newest' | 'oldest' | 'clicks';

/** Sort order of links with a tag. Sorting by clicks is not supported, because no index exists for it. */
export type TagOrder = Exclude<LinkOrder, 'clicks'>;

/** A deletion to undo, identified by its time. All links that were deleted together have the same deletion time. */
export interface Undo {
  deletedAt: number;
  now: number;
}

export type LinkStore = ReturnType<typeof linkStore>;

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

type TargetRow = Omit<LinkTarget, 'forwardQuery'> & { forwardQuery: number | null };

/** Returns the statement that finds the target of a short code. */
function selectTarget(code: string, foldsCase: boolean): Sql {
  return foldsCase
    ? sql`${TARGET} WHERE lower(code) = ${code} ORDER BY deleted_at IS NOT NULL, id LIMIT 1`
    : sql`${TARGET} WHERE code = ${code}`;
}

export function linkStore(database: SharedDatabase) {
  const { read, write, transaction, rowLock, foldsCase } = database;
  // Redirects use this statement, so its text is assembled only once.
  const { sql: question, text } = selectTarget('', foldsCase);
  const target = { sql: question, text };

  /**
   * Applies `change` to the link that matches `condition` and returns the changed link. Returns null if no link
   * matches. If the change deletes the link, also removes the link from lists.
   *
   * @param tags new tags of the link; if undefined, the tags stay unchanged
   */
  const change = (change: Sql, condition: Sql, tags?: string[]): Promise<StoredLink | null> =>
    transaction(async (run) => {
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
    transaction(async (run) => {
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
    /**
     * Returns the link with a stored code (see `storedCode`), even if the link is deleted or expired. Returns null if
     * the code is unknown. If lookups ignore case, the code must be in lower case.
     */
    async resolve(code: string): Promise<LinkTarget | null> {
      const [row] = await read<TargetRow>({ ...target, values: [code] }, PREPARED);
      return row ? { ...row, forwardQuery: readFlag(row.forwardQuery) } : null;
    },
    /**
     * Returns the links that were edited, deleted or restored since the last call. The caller uses the list to remove
     * outdated links from its cache.
     *
     * @param last value of `changes` that the previous call returned, or null for the first call
     */
    changesSince: (last: number | null) => changesSince(read, last),
    /**
     * Deletes old entries from the list of link changes and keeps the latest `kept` changes. Server processes that had
     * not read the deleted entries clear their whole link cache.
     */
    forgetChanges: (kept?: number) => deleteChanges(read, write, kept),
    /** Returns a link of the account, even if the link is deleted or expired. */
    async find(accountId: number, code: string): Promise<StoredLink | null> {
      const [link] = await readLinks(
        foldsCase
          ? sql`SELECT ${COLUMNS} FROM links WHERE account_id = ${accountId} AND lower(code) = ${foldCode(code)}
              ORDER BY code = ${code} DESC, deleted_at IS NOT NULL, id LIMIT 1`
          : sql`SELECT ${COLUMNS} FROM links WHERE account_id = ${accountId} AND code = ${code}`,
      );
      return link ?? null;
    },
    /** Returns links of an account, starting after the position `after`. Deleted links are omitted. */
    list: (accountId: number, after: LinkPosition | null, max: number, order: LinkOrder = 'newest') =>
      list(order, { account: accountId, max }, after),
    /** Works like `list`, but returns only links with the given tag. */
    listTagged: (accountId: number, tag: string, after: LinkPosition | null, max: number, order: TagOrder) =>
      readLinks(tagged({ account: accountId, max }, tagKey(tag), after, order)),
    /** Counts the links of an account, up to `max`. Deleted links are omitted. */
    async count(accountId: number, max: number): Promise<number> {
      const [row] = await read<{ count: number }>(sql`SELECT count(*) AS count FROM
        (SELECT 1 FROM links WHERE account_id = ${accountId} AND deleted_at IS NULL LIMIT ${max}) AS counted`);
      return row?.count ?? 0;
    },
    /**
     * Returns links that were created with an API key, newest first, starting after the position `after`. Deleted links
     * are omitted. Supports only API keys that are restricted to their own links.
     */
    listOfKey: (keyId: number, after: LinkPosition | null, max: number) =>
      readLinks(sql`SELECT ${COLUMNS} FROM links
        WHERE own_key_id = ${keyId} AND deleted_at IS NULL AND id < ${(after ?? LAST).id} ORDER BY id DESC LIMIT ${max}`),
    /**
     * Creates a link without counting it against the limits of an API key. Returns null if all short codes in
     * `link.codes` are taken.
     */
    create: (accountId: number, link: NewLink, now: number) =>
      transaction((run) => createOne(run, accountId, link, now)),
    /**
     * Creates a link for a form and charges it to the account's daily quota, in one transaction. `code` is null if the
     * quota is used up or all short codes in `link.codes` are taken. `spent` is null if the account has no quota. If
     * the form was already submitted, returns the code of the first time and charges nothing.
     *
     * @param quota maximum number of links per day, or null if the account has no quota
     */
    createFromForm: (
      accountId: number,
      link: NewLink,
      { submission, quota, now }: { submission: Uint8Array | null; quota: number | null; now: number },
    ) =>
      transaction(async (run): Promise<{ code: string | null; spent: ChargedQuota | null }> => {
        let spent: ChargedQuota | null = null;
        const { result } = await createOnce(run, { rowLock }, { accountId, submission, now }, async () => {
          const charge = { accountId, quota: 'links', units: 1 } as const;
          if (quota !== null) spent = await chargeAccount(run, database, { ...charge, max: quota });
          if (spent?.granted === 0) return null;
          return (await createOne(run, accountId, link, now))?.code ?? null;
        });
        return { code: result, spent };
      }),
    /**
     * Edits a link and returns the new version. Returns null if the account has no such link or if the link is deleted.
     */
    edit: (accountId: number, code: string, { url, title, expiresAt, forwardQuery, tags }: LinkEdit) =>
      change(
        sql`url = ${url === undefined ? sql`url` : url}, title = ${title === undefined ? sql`title` : title},
          expires_at = ${expiresAt === undefined ? sql`expires_at` : expiresAt},
          forward_query = ${forwardQuery === undefined ? sql`forward_query` : writeFlag(forwardQuery)}`,
        sql`account_id = ${accountId} AND code = ${code} AND deleted_at IS NULL`,
        tags,
      ),
    /**
     * Deletes a link. Its short code is never used again. The deletion is final unless `undoUntil` is given. Returns
     * false if the account has no such link or if the link is already deleted.
     */
    async remove(accountId: number, code: string, now: number, undoUntil?: number): Promise<boolean> {
      const condition = sql`account_id = ${accountId} AND code = ${code} AND deleted_at IS NULL`;
      return (await change(sql`deleted_at = ${now}, undo_until = ${undoUntil ?? null}`, condition)) !== null;
    },
    /** Returns the account's links with these short codes, newest first. Deleted links are omitted. */
    async findAll(accountId: number, codes: readonly string[]): Promise<StoredLink[]> {
      if (codes.length === 0) return [];
      return readLinks(sql`SELECT ${COLUMNS} FROM links
        WHERE account_id = ${accountId} AND code IN (${join([...codes])}) AND deleted_at IS NULL
        ORDER BY created_at DESC, id DESC`);
    },
    /**
     * Deletes the account's links with these short codes, in one transaction, and returns the short codes of the
     * deleted links. All these links get the same deletion time, which is later used to undo the deletion.
     */
    async removeAll(accountId: number, codes: readonly string[], now: number, undoUntil: number): Promise<string[]> {
      if (codes.length === 0) return [];
      const those = sql`code IN (${join([...codes])}) AND deleted_at IS NULL ORDER BY id`;
      return changeAll(accountId, sql`deleted_at = ${now}, undo_until = ${undoUntil}`, those, false);
    },
    /** Counts the account's links that were deleted at the given time and can still be restored. */
    async countRestorable(accountId: number, undo: Undo): Promise<number> {
      const [row] = await read<{ count: number }>(restorableOf(accountId, undo));
      return row?.count ?? 0;
    },
    /**
     * In one transaction, restores up to `max` links of an account that were deleted at the given time. Returns the
     * short codes of the restored links.
     */
    restoreAll: (accountId: number, undo: Undo, max: number) =>
      changeAll(
        accountId,
        sql`deleted_at = NULL, undo_until = NULL`,
        sql`${restorable(undo)} ORDER BY id LIMIT ${max}`,
        true,
      ),
    /**
     * Permanently deletes a link of any account. If the link was already deleted, makes that deletion permanent.
     * Returns false if no link has this short code.
     */
    async takeDown(code: string, now: number): Promise<boolean> {
      const final = sql`deleted_at = coalesce(deleted_at, ${now}), undo_until = NULL`;
      return (await change(final, sql`code = ${code}`)) !== null;
    },
    /**
     * Restores a link that was deleted at the given time. Returns false if the link cannot be restored, for example
     * because the time to undo has passed.
     */
    async restore(accountId: number, code: string, undo: Undo): Promise<boolean> {
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
