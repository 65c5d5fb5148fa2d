import type { LimitState } from '../../domain/limits.ts';
import { askTogether } from '../gather.ts';
import type { ApiKey, KeyStore, NewKey } from '../store.ts';
import type { Database } from './database.ts';

const COLUMNS = `api_keys.id, account_id AS accountId, name, last_four AS lastFour, created_at AS createdAt,
  last_used_at AS lastUsedAt, revoked_at AS revokedAt, throttle, quota,
  (SELECT disabled_at FROM accounts WHERE accounts.id = account_id) AS disabledAt`;

export function keyStore(database: Database): KeyStore {
  const insert = database.prepare(
    `INSERT INTO api_keys (account_id, name, hash, last_four, created_at, throttle, quota)
     VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
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

  const create = ({ accountId, name, hash, lastFour, createdAt, throttle, quota }: NewKey) =>
    insert.get(accountId, name, hash, lastFour, createdAt, throttle, quota) as unknown as ApiKey;

  // Every request of the API asks for its key, so those of one turn ask together.
  const find = askTogether(async (hashes: Uint8Array[]) => {
    const asked = JSON.stringify(hashes.map((hash) => Buffer.from(hash).toString('hex')));
    const rows = byHashes.all(asked) as unknown as (ApiKey | { id: null })[];
    return rows.map((row) => (row.id === null ? null : row));
  });

  return {
    create: (key) => database.write(() => create(key)),
    createWithin: ({ most, revokedSince }, key) =>
      database.write(() => {
        const keys = count.get(key.accountId, revokedSince)?.keys as number;
        return keys < most ? create(key) : null;
      }),
    find,
    list: async (accountId) => (accountId === undefined ? all.all() : ofAccount.all(accountId)) as unknown as ApiKey[],
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
