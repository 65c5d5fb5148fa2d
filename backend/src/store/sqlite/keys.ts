import type { LimitState } from '../../domain/limits.ts';
import { askTogether } from '../gather.ts';
import { columnsOf, type KeyRow, keyOf } from '../key-row.ts';
import type { ApiKey, KeyStore, NewKey } from '../store.ts';
import type { Database } from './database.ts';

const COLUMNS = `api_keys.id, account_id AS accountId, name, last_four AS lastFour, created_at AS createdAt,
  last_used_at AS lastUsedAt, revoked_at AS revokedAt, throttle, quota,
  scopes, own_links_only AS ownLinksOnly, (SELECT disabled_at FROM accounts WHERE accounts.id = account_id) AS disabledAt`;

export function keyStore(database: Database): KeyStore {
  const insert = database.prepare(
    `INSERT INTO api_keys (account_id, name, hash, last_four, created_at, throttle, quota, scopes, own_links_only)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
  );
  const count = database.prepare(
    'SELECT count(*) AS keys FROM api_keys WHERE account_id = ? AND (revoked_at IS NULL OR revoked_at >= ?)',
  );
  // One row for each hash, in their order; all null where it is nobody's.
  const byHashes = database.prepare(`SELECT ${COLUMNS} FROM json_each(?) LEFT JOIN api_keys ON hash = unhex(value)`);
  const all = database.prepare(`SELECT ${COLUMNS} FROM api_keys WHERE account_id > 0 ORDER BY id`);
  const ofAccount = database.prepare(`SELECT ${COLUMNS} FROM api_keys WHERE account_id = ? ORDER BY id`);
  const change = database.prepare(
    'UPDATE api_keys SET name = ?, throttle = ?, quota = ? WHERE account_id = ? AND id = ?',
  );
  const revoke = database.prepare('UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?');
  const touch = database.prepare('UPDATE api_keys SET last_used_at = ? WHERE id = ?');
  const limits = database.prepare('SELECT open_at AS openAt, day, used FROM key_limits WHERE key_id = ?');

  function create(key: NewKey): ApiKey {
    const { accountId, name, hash, lastFour, createdAt, throttle, quota } = key;
    const { scopes, ownLinksOnly } = columnsOf(key);
    const values = [accountId, name, hash, lastFour, createdAt, throttle, quota, scopes, ownLinksOnly];
    return keyOf(insert.get(...values) as unknown as KeyRow);
  }

  // Every request of the API asks for its key, so those of one turn ask together.
  const find = askTogether(async (hashes: Uint8Array[]) => {
    const asked = JSON.stringify(hashes.map((hash) => Buffer.from(hash).toString('hex')));
    const rows = byHashes.all(asked) as unknown as (KeyRow | { id: null })[];
    return rows.map((row) => (row.id === null ? null : keyOf(row)));
  });

  return {
    create: (key) => database.write(() => create(key)),
    createWithin: ({ most, revokedSince }, key) =>
      database.write(() => {
        const keys = count.get(key.accountId, revokedSince)?.keys as number;
        return keys < most ? create(key) : null;
      }),
    find,
    list: async (accountId) => {
      const rows = accountId === undefined ? all.all() : ofAccount.all(accountId);
      return (rows as unknown as KeyRow[]).map(keyOf);
    },
    change: (accountId, id, { name, throttle, quota }) =>
      database.write(() => change.run(name, throttle, quota, accountId, id).changes === 1),
    revoke: (id, now) => database.write(() => revoke.run(now, id).changes === 1),
    touch: (id, now) =>
      database.write(() => {
        touch.run(now, id);
      }),
    limitState: async (id) => (limits.get(id) as unknown as LimitState | undefined) ?? null,
  };
}
