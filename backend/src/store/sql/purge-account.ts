import sql, { join, type Sql } from 'sql-template-tag';
import type { Database, Run } from './database.ts';

/**
 * Returns a function that deletes part of the data of removed accounts: about `max` rows, which keeps the transaction
 * short. The short codes of the deleted links stay reserved. The function returns false if nothing is left to delete.
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
      for (const statement of purgesOf(account.id, max)) if ((await run(statement)).length === max) return true;
      await run(sql`DELETE FROM limit_usage WHERE subject IN (${`links ${account.id}`}, ${`rows ${account.id}`})
        OR subject IN (SELECT 'key ' || id FROM api_keys WHERE account_id = ${account.id})`);
      // Foreign keys delete the rest of the account's data.
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
  await run(sql`UPDATE links SET account_id = 0, key_id = NULL, url = '', title = NULL, tags = '[]',
      forward_query = NULL, imported_clicks = 0, expires_at = NULL, deleted_at = coalesce(deleted_at, ${now}),
      undo_until = NULL
    WHERE id IN (${links})`);
  return true;
}

/** Returns statements that each delete up to `max` rows of a table in which an account can have many rows. */
function purgesOf(account: number, max: number): Sql[] {
  return [
    sql`DELETE FROM account_hours WHERE (account_id, hour) IN (
      SELECT account_id, hour FROM account_hours WHERE account_id = ${account} LIMIT ${max}) RETURNING hour`,
    sql`DELETE FROM import_errors WHERE (import_id, line) IN (
      SELECT import_id, line FROM import_errors
      WHERE import_id IN (SELECT id FROM imports WHERE account_id = ${account}) LIMIT ${max}) RETURNING line`,
    sql`DELETE FROM cached_responses WHERE (key_id, endpoint, idempotency_key) IN (
      SELECT key_id, endpoint, idempotency_key FROM cached_responses
      WHERE key_id IN (SELECT id FROM api_keys WHERE account_id = ${account}) LIMIT ${max}) RETURNING key_id`,
  ];
}
