import sql, { join, type Sql } from 'sql-template-tag';
import type { Database, Run } from './database.ts';
import { recordChange } from './link-changes.ts';

/**
 * Returns a function that deletes part of the data of removed accounts: up to `max` rows of one table, which keeps the
 * transaction short. The short codes of the deleted links stay reserved. The function returns false if nothing is left
 * to delete.
 */
export function purgeAccounts({ transaction, rowLock, lockCounting }: Database) {
  return (max: number, now: number) =>
    transaction(async (run) => {
      // Clicks on the deleted links must not be counted meanwhile, because their counts would stay stored.
      await lockCounting(run);
      // The lock ensures that only one process at a time deletes the account's data.
      const [account] = await run<{ id: number }>(
        sql`SELECT id FROM accounts WHERE id > 0 AND removed_at IS NOT NULL ORDER BY id LIMIT 1 ${rowLock}`,
      );
      if (!account) return false;
      if (await retireLinks(run, account.id, max, now)) return true;
      for (const statement of purgesOf(account.id, max)) if ((await run(statement)).length > 0) return true;
      await run(sql`DELETE FROM accounts WHERE id = ${account.id}`);
      return true;
    });
}

/**
 * Deletes the data stored for an account's links, such as URLs, titles, tags and clicks. The short codes stay stored
 * under account 0, which has no owner, so that the codes are never reused.
 */
async function retireLinks(run: Run, account: number, max: number, now: number): Promise<boolean> {
  const rows = await run<{ id: number }>(sql`SELECT id FROM links WHERE account_id = ${account} LIMIT ${max}`);
  if (rows.length === 0) return false;
  const links = join(rows.map(({ id }) => id));
  const days = await run(sql`DELETE FROM click_days WHERE (link_id, day) IN (
    SELECT link_id, day FROM click_days WHERE link_id IN (${links}) LIMIT ${max}
  ) RETURNING day`);
  if (days.length === max) return true;
  await run(sql`DELETE FROM click_totals WHERE link_id IN (${links})`);
  await run(sql`UPDATE links SET account_id = 0, key_id = NULL, own_key_id = NULL, url = '', title = NULL, forward_query = NULL,
      imported_clicks = 0, expires_at = NULL, deleted_at = coalesce(deleted_at, ${now}), undo_until = NULL
    WHERE id IN (${links})`);
  await run(sql`DELETE FROM link_tags WHERE link_id IN (${links})`);
  await recordChange(run, null);
  return true;
}

/**
 * Returns the statements that delete an account's other data, and return a row for each deleted one. They are ordered so
 * that no remaining row refers to a deleted row. API keys move to account 0, because links refer to them.
 */
function purgesOf(account: number, max: number): Sql[] {
  const imports = sql`SELECT id FROM imports WHERE account_id = ${account}`;
  const keys = sql`SELECT id FROM api_keys WHERE account_id = ${account}`;
  return [
    sql`DELETE FROM account_hours WHERE (account_id, hour) IN (
      SELECT account_id, hour FROM account_hours WHERE account_id = ${account} LIMIT ${max}) RETURNING hour`,
    sql`DELETE FROM import_errors WHERE (import_id, line) IN (
      SELECT import_id, line FROM import_errors WHERE import_id IN (${imports}) LIMIT ${max}) RETURNING line`,
    sql`DELETE FROM imports WHERE id IN (${imports} LIMIT ${max}) RETURNING id`,
    sql`DELETE FROM cached_responses WHERE (key_id, endpoint, idempotency_key) IN (
      SELECT key_id, endpoint, idempotency_key FROM cached_responses WHERE key_id IN (${keys}) LIMIT ${max}
    ) RETURNING key_id`,
    sql`DELETE FROM key_limits WHERE key_id IN (
      SELECT key_id FROM key_limits WHERE key_id IN (${keys}) LIMIT ${max}) RETURNING key_id`,
    sql`UPDATE api_keys SET account_id = 0, name = '', last_four = '' WHERE id IN (${keys} LIMIT ${max}) RETURNING id`,
  ];
}
