import sql, { join, type Sql } from 'sql-template-tag';
import type { ChargedQuota } from '../../domain/limits/create-requests.ts';
import { splitStoredCode } from '../../domain/links/short-codes.ts';
import type { LinkEdit, NewLink, StoredLink } from '../../domain/links/stored-link.ts';
import { SettingError } from '../store-errors.ts';
import { chargeAccount, createOnce } from './create-request.ts';
import type { Database, Run } from './database.ts';
import { insertLink, LINK_COLUMNS, type LinkRow, linkOf, linkReader, linkReads, writeFlag } from './link-rows.ts';

/** A deletion to undo, identified by its time. All links that were deleted together have the same deletion time. */
export interface Undo {
  deletedAt: number;
  now: number;
}

export type LinkStore = ReturnType<typeof linkStore>;

export function linkStore(database: Database) {
  const { read, transaction, rowLock, lock } = database;

  /**
   * Applies `change` to the links of one account that match `condition`, in one transaction, and returns the changed
   * links.
   *
   * @param isListed true if the links appear in lists again, false if they no longer do, undefined if nothing changes
   */
  const changeLinks = (change: Sql, condition: Sql, isListed?: boolean): Promise<StoredLink[]> =>
    transaction(async (run) => {
      // Counting changes the same totals in another order. Without this lock, both could wait for each other.
      if (isListed !== undefined) await lock(run, 'counting');
      // Locks the links in a fixed order to prevent deadlocks.
      const found = await run<{ id: number }>(sql`SELECT id FROM links WHERE ${condition} ORDER BY id ${rowLock}`);
      if (found.length === 0) return [];
      const ids = join(found.map(({ id }) => id));
      const rows = await run<LinkRow>(sql`UPDATE links SET ${change} WHERE id IN (${ids}) RETURNING ${LINK_COLUMNS}`);
      const changed = rows.map(linkOf).toSorted((a, b) => a.id - b.id);
      if (isListed !== undefined) {
        const accountId = isListed ? (changed[0]?.accountId ?? null) : null;
        await run(sql`UPDATE click_totals SET account_id = ${accountId} WHERE link_id IN (${ids})`);
      }
      return changed;
    });

  const existing = (accountId: number, codes: readonly string[]): Sql =>
    sql`account_id = ${accountId} AND code IN (${join([...codes])}) AND deleted_at IS NULL`;

  const readLinks = linkReader(read);

  return {
    ...linkReads(read),
    /** Returns the hosts of all domains except the default domain. */
    hosts: () => hosts(read),
    revision: database.revision,
    /** Returns a link of the account, even if the link is deleted or expired. */
    async find(accountId: number, code: string): Promise<StoredLink | null> {
      const [link] = await readLinks(
        sql`SELECT ${LINK_COLUMNS} FROM links WHERE account_id = ${accountId} AND code = ${code}`,
      );
      return link ?? null;
    },
    /**
     * Creates a link without counting it against the limits of an API key. Returns null if all short codes in
     * `link.codes` are taken.
     */
    create: (accountId: number, link: NewLink, now: number) =>
      transaction((run) => insertLink(run, { ...link, accountId, keyId: null, createdAt: now })),
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
          const made = await insertLink(run, { ...link, accountId, keyId: null, createdAt: now });
          return made?.code ?? null;
        });
        return { code: result, spent };
      }),
    /**
     * Edits a link and returns the new version. Returns null if the account has no such link or if the link is deleted.
     */
    async edit(accountId: number, code: string, edit: LinkEdit): Promise<StoredLink | null> {
      const { url, title, expiresAt, forwardQuery, tags } = edit;
      const change = sql`url = ${url === undefined ? sql`url` : url}, title = ${title === undefined ? sql`title` : title},
        tags = ${tags === undefined ? sql`tags` : JSON.stringify(tags)},
        expires_at = ${expiresAt === undefined ? sql`expires_at` : expiresAt},
        forward_query = ${forwardQuery === undefined ? sql`forward_query` : writeFlag(forwardQuery)}`;
      const [changed] = await changeLinks(change, existing(accountId, [code]));
      return changed ?? null;
    },
    /**
     * Deletes the account's links with these short codes, in one transaction, and returns the short codes of the
     * deleted links. All these links get the same deletion time, which is later used to undo the deletion.
     *
     * @param undoUntil null if the deletion is final
     */
    async remove(
      accountId: number,
      codes: readonly string[],
      now: number,
      undoUntil: number | null = null,
    ): Promise<string[]> {
      if (codes.length === 0) return [];
      const deletion = sql`deleted_at = ${now}, undo_until = ${undoUntil}`;
      const deleted = await changeLinks(deletion, existing(accountId, codes), false);
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
      return (await changeLinks(sql`deleted_at = NULL, undo_until = NULL`, those, true)).map(({ code }) => code);
    },
    /**
     * Permanently deletes a link of any account. If the link was already deleted, makes that deletion permanent.
     * Returns false if no link has this short code.
     */
    async takeDown(code: string, now: number): Promise<boolean> {
      const final = sql`deleted_at = coalesce(deleted_at, ${now}), undo_until = NULL`;
      return (await changeLinks(final, sql`code = ${code}`, false)).length > 0;
    },
  };
}

export function restorableOf(account: number, undo: Undo): Sql {
  return sql`SELECT count(*) AS count FROM links WHERE account_id = ${account} AND ${restorable(undo)}`;
}

function restorable({ deletedAt, now }: Undo): Sql {
  return sql`deleted_at = ${deletedAt} AND undo_until >= ${now}`;
}

/** Character that follows `/` in the sort order of the database. */
const AFTER_SLASH = '0';

/** Lists hosts by reading only one link per host, so this is fast for any number of links. */
async function hosts(read: Run): Promise<string[]> {
  const found: string[] = [];
  for (let after = '//'; ; ) {
    const [link] = await read<{ code: string }>(
      sql`SELECT code FROM links WHERE code >= ${after} AND code < ${`/${AFTER_SLASH}`} ORDER BY code LIMIT 1`,
    );
    if (!link) return found;
    const { host } = splitStoredCode(link.code);
    found.push(host);
    after = `//${host}${AFTER_SLASH}`;
  }
}

/**
 * Rejects the setting for case-insensitive short codes if a short code has capital letters. Lookups convert the
 * requested code to lower case, so they would not find this link.
 */
export async function refuseCapitalLetters(run: Run): Promise<void> {
  const [found] = await run<{ code: string }>(sql`SELECT code FROM links WHERE code <> lower(code) LIMIT 1`);
  if (!found) return;
  throw new SettingError(
    `TERSE_CASE_INSENSITIVE_CODES cannot be used, because this database has short codes with capital letters, such as ${found.code.replace(/^\/\//, '')}. Set it before you create the first link.`,
  );
}
