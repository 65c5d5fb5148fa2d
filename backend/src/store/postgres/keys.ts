import type { LimitState } from '../../domain/limits.ts';
import { askTogether } from '../gather.ts';
import { columnsOf, type KeyRow, keyOf } from '../key-row.ts';
import type { ApiKey, KeyStore, NewKey } from '../store.ts';
import type { Ask, Database } from './database.ts';

const COLUMNS = `id, account_id AS "accountId", name, last_four AS "lastFour", created_at AS "createdAt",
  last_used_at AS "lastUsedAt", revoked_at AS "revokedAt", throttle, quota,
  scopes, own_links_only AS "ownLinksOnly", (SELECT disabled_at FROM accounts WHERE accounts.id = account_id) AS "disabledAt"`;

export function keyStore(database: Database): KeyStore {
  const insert = database.prepare(
    `INSERT INTO api_keys (account_id, name, hash, last_four, created_at, throttle, quota, scopes, own_links_only)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${COLUMNS}`,
  );
  // One at a time makes keys of an account, or two at once would not see each other's.
  const lock = database.prepare('SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE');
  const count = database.prepare(
    'SELECT count(*) AS keys FROM api_keys WHERE account_id = $1 AND (revoked_at IS NULL OR revoked_at >= $2)',
  );
  const byHash = database.prepare(`SELECT hash, ${COLUMNS} FROM api_keys WHERE hash = ANY ($1::bytea[])`);
  const all = database.prepare(`SELECT ${COLUMNS} FROM api_keys WHERE account_id > 0 ORDER BY id`);
  const ofAccount = database.prepare(`SELECT ${COLUMNS} FROM api_keys WHERE account_id = $1 ORDER BY id`);
  const change = database.prepare(
    'UPDATE api_keys SET name = $1, throttle = $2, quota = $3 WHERE account_id = $4 AND id = $5 RETURNING id',
  );
  const revoke = database.prepare(
    'UPDATE api_keys SET revoked_at = coalesce(revoked_at, $1) WHERE id = $2 RETURNING id',
  );
  // Requests at once wait for one another's row, so those that come late have nothing left to write.
  const touch = database.prepare(
    'UPDATE api_keys SET last_used_at = $1 WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1)',
  );
  const limits = database.prepare('SELECT open_at AS "openAt", day, used FROM key_limits WHERE key_id = $1');

  async function create(ask: Ask, key: NewKey): Promise<ApiKey> {
    const { accountId, name, hash, lastFour, createdAt, throttle, quota } = key;
    const { scopes, ownLinksOnly } = columnsOf(key);
    const values = [accountId, name, hash, lastFour, createdAt, throttle, quota, scopes, ownLinksOnly];
    const [row] = await ask<KeyRow>(insert, ...values);
    return keyOf(row as KeyRow);
  }

  // Every request of the API asks for its key, so those of one turn ask together.
  const find = askTogether(async (hashes: Uint8Array[]) => {
    const rows = await database.read<KeyRow & { hash: Buffer }>(byHash, hashes);
    const keys = new Map(rows.map(({ hash, ...key }) => [hash.toString('hex'), keyOf(key)]));
    return hashes.map((hash) => keys.get(Buffer.from(hash).toString('hex')) ?? null);
  });

  return {
    create: (key) => create(database.write, key),
    createWithin: ({ most, revokedSince }, key) =>
      database.transaction(async (ask) => {
        await ask(lock, key.accountId);
        const [row] = await ask<{ keys: number }>(count, key.accountId, revokedSince);
        return (row?.keys ?? 0) < most ? create(ask, key) : null;
      }),
    find: (hash) => database.keepOpen(() => find(hash)),
    async list(accountId) {
      const rows = accountId === undefined ? database.read<KeyRow>(all) : database.read<KeyRow>(ofAccount, accountId);
      return (await rows).map(keyOf);
    },
    change: async (accountId, id, { name, throttle, quota }) =>
      (await database.write(change, name, throttle, quota, accountId, id)).length === 1,
    revoke: async (id, now) => (await database.write(revoke, now, id)).length === 1,
    async touch(id, now) {
      await database.write(touch, now, id);
    },
    limitState: async (id) => (await database.read<LimitState>(limits, id))[0] ?? null,
  };
}
