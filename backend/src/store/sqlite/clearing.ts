import type { AccountStore } from '../account-store.ts';
import type { Database } from './database.ts';

/**
 * Of an account without links, in an order in which nothing refers to what is gone. Its keys stay as rows of nobody's:
 * before one was deleted, all links would be searched for it.
 */
const REST = [
  'DELETE FROM import_errors WHERE import_id IN (SELECT id FROM imports WHERE account_id = ?)',
  'DELETE FROM imports WHERE account_id = ?',
  'DELETE FROM kept_answers WHERE key_id IN (SELECT id FROM api_keys WHERE account_id = ?)',
  'DELETE FROM key_limits WHERE key_id IN (SELECT id FROM api_keys WHERE account_id = ?)',
  "UPDATE api_keys SET account_id = 0, name = '', last_four = '' WHERE account_id = ?",
  'DELETE FROM accounts WHERE id = ?',
];

/** Clears away what removed accounts owned; see `AccountStore.clear`. */
export function clearing(database: Database): AccountStore['clear'] {
  const removed = database.prepare('SELECT id FROM accounts WHERE id > 0 AND removed_at IS NOT NULL LIMIT 1');
  const links = database.prepare('SELECT id FROM links WHERE account_id = ? LIMIT ?');
  const endClicks = ['click_totals', 'click_days'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE link_id = ?`),
  );
  const retire = database.prepare(
    `UPDATE links SET account_id = 0, key_id = NULL, url = '', title = NULL, expires_at = NULL,
       deleted_at = coalesce(deleted_at, ?) WHERE id = ?`,
  );
  const noteChange = database.prepare('UPDATE link_changes SET changes = changes + 1 WHERE one = 1');
  const rest = REST.map((sql) => database.prepare(sql));

  return (most, now) =>
    database.write(() => {
      const account = removed.get()?.id as number | undefined;
      if (account === undefined) return false;
      const some = links.all(account, most).map(({ id }) => id as number);
      for (const id of some) {
        for (const statement of endClicks) statement.run(id);
        retire.run(now, id);
      }
      if (some.length > 0) noteChange.run();
      else for (const statement of rest) statement.run(account);
      return true;
    });
}
