import sql, { join, type Sql } from 'sql-template-tag';
import type { ChargedQuota } from '../../domain/limits/create-requests.ts';
import { foldCode } from '../../domain/links/short-codes.ts';
import { splitStoredCode } from '../../domain/links/short-domains.ts';
import type { LinkEdit, LinkTarget, NewLink, StoredLink } from '../../domain/links/stored-link.ts';
import type { Database, Run } from './database.ts';
import { createOnce } from './form-submissions.ts';
import { chargeAccount } from './limit-usage.ts';
import { changesSince, deleteChanges, recordChange } from './link-changes.ts';
import { LINK_COLUMNS, linkLists } from './link-lists.ts';
import { insertLink, type LinkRow, linkOf, replaceTags, writeFlag } from './link-rows.ts';

/** A deletion to undo, identified by its time. All links that were deleted together have the same deletion time. */
export interface Undo {
  deletedAt: number;
  now: number;
}

export type LinkStore = ReturnType<typeof linkStore>;

/** Character that follows `/` in the sort order of the database. */
const AFTER_SLASH = '0';
/** Text that sorts after all stored codes of the form `//host/code`. */
const AFTER_HOSTS = `/${AFTER_SLASH}`;

const TARGET = sql`SELECT id, url, expires_at AS "expiresAt", deleted_at AS "deletedAt",
  forward_query AS "forwardQuery" FROM links`;

type TargetRow = Omit<LinkTarget, 'forwardQuery'> & { forwardQuery: number | null };

export function linkStore(database: Database) {
  const { read, write, transaction, rowLock, foldsCase } = database;
  const target = sql`${TARGET} WHERE code = ${''}`;
  // Redirects use this statement, so its text is assembled only once.
  const targetText = { sql: target.sql, text: target.text };

  /**
   * Applies `change` to the links of one account that match `condition`, in one transaction, and returns the changed
   * links. Deleted links no longer appear in lists, and restored links appear in them again.
   *
   * @param tags new tags of the links; if undefined, the tags stay unchanged
   */
  const changeLinks = (change: Sql, condition: Sql, tags?: string[]): Promise<StoredLink[]> =>
    transaction(async (run) => {
      // Locks the links in a fixed order to prevent deadlocks.
      const found = await run<{ id: number }>(sql`SELECT id FROM links WHERE ${condition} ORDER BY id ${rowLock}`);
      if (found.length === 0) return [];
      const ids = join(found.map(({ id }) => id));
      const rows = await run<LinkRow>(sql`UPDATE links SET ${change} WHERE id IN (${ids}) RETURNING ${LINK_COLUMNS}`);
      const changed = rows.map((row) => ({ ...linkOf(row), ...(tags && { tags }) })).toSorted((a, b) => a.id - b.id);
      if (tags) for (const link of changed) await replaceTags(run, link);
      const { accountId, deletedAt } = changed[0] as StoredLink;
      const listedIn = deletedAt === null ? accountId : null;
      await run(sql`UPDATE click_totals SET account_id = ${listedIn} WHERE link_id IN (${ids})`);
      await run(sql`UPDATE link_tags SET account_id = ${listedIn} WHERE link_id IN (${ids})`);
      const codes = changed.map(({ code }) => code);
      await recordChange(run, codes);
      return changed;
    });

  const existing = (accountId: number, codes: readonly string[]): Sql =>
    sql`account_id = ${accountId} AND code IN (${join([...codes])}) AND deleted_at IS NULL`;

  async function createOne(run: Run, accountId: number, link: NewLink, now: number): Promise<StoredLink | null> {
    const { made } = await insertLink(run, { ...link, accountId, keyId: null, ownKeyId: null, createdAt: now });
    return made;
  }

  const readLinks = async (statement: Sql) => (await read<LinkRow>(statement)).map(linkOf);

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
    ...linkLists(read),
    hosts,
    /**
     * Returns the link with a stored code (see `storedCode`), even if the link is deleted or expired. Returns null if
     * the code is unknown. If lookups ignore case, the code must be in lower case.
     */
    async resolve(code: string): Promise<LinkTarget | null> {
      const [row] = await read<TargetRow>({ ...targetText, values: [code] });
      return row ? { ...row, forwardQuery: row.forwardQuery === null ? null : row.forwardQuery === 1 } : null;
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
      const stored = foldsCase ? foldCode(code) : code;
      const [link] = await readLinks(
        sql`SELECT ${LINK_COLUMNS} FROM links WHERE account_id = ${accountId} AND code = ${stored}`,
      );
      return link ?? null;
    },
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
    async edit(accountId: number, code: string, edit: LinkEdit): Promise<StoredLink | null> {
      const { url, title, expiresAt, forwardQuery, tags } = edit;
      const change = sql`url = ${url === undefined ? sql`url` : url}, title = ${title === undefined ? sql`title` : title},
        expires_at = ${expiresAt === undefined ? sql`expires_at` : expiresAt},
        forward_query = ${forwardQuery === undefined ? sql`forward_query` : writeFlag(forwardQuery)}`;
      const [changed] = await changeLinks(change, existing(accountId, [code]), tags);
      return changed ?? null;
    },
    /**
     * Permanently deletes a link. Its short code is never used again. Returns false if the account has no such link or if
     * the link is already deleted.
     */
    async remove(accountId: number, code: string, now: number): Promise<boolean> {
      const deletion = sql`deleted_at = ${now}, undo_until = NULL`;
      return (await changeLinks(deletion, existing(accountId, [code]))).length > 0;
    },
    /** Returns the account's links with these short codes, newest first. Deleted links are omitted. */
    async findAll(accountId: number, codes: readonly string[]): Promise<StoredLink[]> {
      if (codes.length === 0) return [];
      return readLinks(sql`SELECT ${LINK_COLUMNS} FROM links
        WHERE ${existing(accountId, codes)} ORDER BY created_at DESC, id DESC`);
    },
    /**
     * Deletes the account's links with these short codes, in one transaction, and returns the short codes of the
     * deleted links. All these links get the same deletion time, which is later used to undo the deletion.
     */
    async removeAll(accountId: number, codes: readonly string[], now: number, undoUntil: number): Promise<string[]> {
      if (codes.length === 0) return [];
      const deletion = sql`deleted_at = ${now}, undo_until = ${undoUntil}`;
      const deleted = await changeLinks(deletion, existing(accountId, codes));
      return deleted.map(({ code }) => code);
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
    async restoreAll(accountId: number, undo: Undo, max: number): Promise<string[]> {
      const those = sql`id IN (SELECT id FROM links WHERE account_id = ${accountId} AND ${restorable(undo)}
        ORDER BY id LIMIT ${max}) AND ${restorable(undo)}`;
      return (await changeLinks(RESTORED, those)).map(({ code }) => code);
    },
    /**
     * Permanently deletes a link of any account. If the link was already deleted, makes that deletion permanent.
     * Returns false if no link has this short code.
     */
    async takeDown(code: string, now: number): Promise<boolean> {
      const final = sql`deleted_at = coalesce(deleted_at, ${now}), undo_until = NULL`;
      return (await changeLinks(final, sql`code = ${code}`)).length > 0;
    },
  };
}

const RESTORED = sql`deleted_at = NULL, undo_until = NULL`;

export function restorableOf(account: number, undo: Undo): Sql {
  return sql`SELECT count(*) AS count FROM links WHERE account_id = ${account} AND ${restorable(undo)}`;
}

function restorable({ deletedAt, now }: Undo): Sql {
  return sql`deleted_at = ${deletedAt} AND undo_until >= ${now}`;
}
