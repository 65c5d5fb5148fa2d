import sql, { join, type Sql } from 'sql-template-tag';
import { recordChange } from './link-changes.ts';
import type { Run, SharedDatabase } from './sql-runner.ts';

type Step = (run: Run, account: number, max: number, now: number) => Promise<boolean>;

/**
 * Steps to delete an account's data. They are ordered so that no remaining row refers to a deleted row. Each
 * statement changes at most `max` rows, which keeps the transactions short.
 */
const STEPS: readonly Step[] = [
  retireLinks,
  clearAccountHours,
  clearImportErrors,
  clearImports,
  clearAnswers,
  clearKeys,
];

/**
 * Returns a function that deletes part of the data of removed accounts: up to `max` rows of each table. The short codes
 * of the deleted links stay reserved. The function returns false if nothing is left to delete.
 */
export function purgeAccounts({ transaction, rowLock, lockCounting }: SharedDatabase) {
  return (max: number, now: number) =>
    transaction(async (run) => {
      // Clicks on the deleted links must not be counted meanwhile, because their counts would stay stored.
      await lockCounting(run);
      // The lock ensures that only one process at a time deletes the account's data.
      const [account] = await run<{ id: number }>(
        sql`SELECT id FROM accounts WHERE id > 0 AND removed_at IS NOT NULL ORDER BY id LIMIT 1 ${rowLock}`,
      );
      if (!account) return false;
      for (const step of STEPS) if (await step(run, account.id, max, now)) return true;
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
  if (!(await clearCounts(run, links, max))) return true;
  await run(sql`DELETE FROM click_totals WHERE link_id IN (${links})`);
  await run(sql`UPDATE links SET account_id = 0, key_id = NULL, own_key_id = NULL, url = '', title = NULL, forward_query = NULL,
      imported_clicks = 0, expires_at = NULL, deleted_at = coalesce(deleted_at, ${now}), undo_until = NULL
    WHERE id IN (${links})`);
  await run(sql`DELETE FROM link_tags WHERE link_id IN (${links})`);
  await recordChange(run, null);
  return true;
}

/** Deletes some of the click counts of the links. Returns true if no counts are left. */
async function clearCounts(run: Run, links: Sql, max: number): Promise<boolean> {
  const days = await run(sql`DELETE FROM click_days WHERE (link_id, day) IN (
    SELECT link_id, day FROM click_days WHERE link_id IN (${links}) LIMIT ${max}
  ) RETURNING day`);
  return days.length < max;
}

async function clearAccountHours(run: Run, account: number, max: number): Promise<boolean> {
  const ended = await run(sql`DELETE FROM account_hours WHERE (account_id, hour) IN (
    SELECT account_id, hour FROM account_hours WHERE account_id = ${account} LIMIT ${max}
  ) RETURNING hour`);
  return ended.length > 0;
}

async function clearImportErrors(run: Run, account: number, max: number): Promise<boolean> {
  const ended = await run(sql`DELETE FROM import_errors WHERE (import_id, line) IN (
    SELECT import_id, line FROM import_errors JOIN imports ON imports.id = import_id
    WHERE account_id = ${account} LIMIT ${max}
  ) RETURNING line`);
  return ended.length > 0;
}

async function clearImports(run: Run, account: number, max: number): Promise<boolean> {
  const ended = await run(sql`DELETE FROM imports WHERE id IN (
    SELECT id FROM imports WHERE account_id = ${account} LIMIT ${max}
  ) RETURNING id`);
  return ended.length > 0;
}

async function clearAnswers(run: Run, account: number, max: number): Promise<boolean> {
  const ended = await run(sql`DELETE FROM cached_responses WHERE (key_id, endpoint, idempotency_key) IN (
    SELECT key_id, endpoint, idempotency_key FROM cached_responses JOIN api_keys ON api_keys.id = key_id
    WHERE account_id = ${account} LIMIT ${max}
  ) RETURNING key_id`);
  return ended.length > 0;
}

/**
 * Moves API keys to account 0, which has no owner. Deleting the keys would be slow, because the database would have to
 * search all links for references to the keys.
 */
async function clearKeys(run: Run, account: number, max: number): Promise<boolean> {
  const keys = sql`SELECT id FROM api_keys WHERE account_id = ${account} ORDER BY id LIMIT ${max}`;
  await run(sql`DELETE FROM key_limits WHERE key_id IN (${keys})`);
  const cleared = await run(sql`UPDATE api_keys SET account_id = 0, name = '', last_four = ''
    WHERE id IN (${keys}) RETURNING id`);
  return cleared.length > 0;
}
