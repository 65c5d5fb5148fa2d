import type { AccountStore } from '../account-store.ts';
import type { Database } from './database.ts';

/**
 * Of an account without links, in an order in which nothing refers to what is gone. Its keys stay as rows of nobody's:
 * before one was deleted, all links would be searched for it.
 */
const REST = [
  'DELETE FROM import_errors WHERE import_id IN (SELECT id FROM imports WHERE account_id = $1)',
  'DELETE FROM imports WHERE account_id = $1',
  'DELETE FROM kept_answers WHERE key_id IN (SELECT id FROM api_keys WHERE account_id = $1)',
  'DELETE FROM key_limits WHERE key_id IN (SELECT id FROM api_keys WHERE account_id = $1)',
  "UPDATE api_keys SET account_id = 0, name = '', last_four = '' WHERE account_id = $1",
  'DELETE FROM accounts WHERE id = $1',
];

/** Clears away what removed accounts owned; see `AccountStore.clear`. */
export function clearing(database: Database): AccountStore['clear'] {
  // Locked, so that of several processes one clears an account at a time.
  const removed = database.prepare(
    'SELECT id FROM accounts WHERE id > 0 AND removed_at IS NOT NULL LIMIT 1 FOR NO KEY UPDATE',
  );
  const retire = database.prepare(
    `UPDATE links SET account_id = 0, key_id = NULL, url = '', title = NULL, expires_at = NULL,
       deleted_at = coalesce(deleted_at, $3)
     WHERE id IN (SELECT id FROM links WHERE account_id = $1 LIMIT $2) RETURNING id`,
  );
  const endClicks = ['click_totals', 'click_days'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE link_id = ANY ($1::bigint[])`),
  );
  const noteChange = database.prepare('UPDATE link_changes SET changes = changes + 1 WHERE one = 1');
  const rest = REST.map((sql) => database.prepare(sql));

  return (most, now) =>
    database.transaction(async (ask) => {
      const [account] = await ask<{ id: number }>(removed);
      if (!account) return false;
      const retired = (await ask<{ id: number }>(retire, account.id, most, now)).map(({ id }) => id);
      if (retired.length > 0) {
        for (const statement of endClicks) await ask(statement, retired);
        await ask(noteChange);
      } else {
        for (const statement of rest) await ask(statement, account.id);
      }
      return true;
    });
}
