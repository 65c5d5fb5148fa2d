import type { KeyScope } from '@terse/contract';
import type { Sql } from 'sql-template-tag';
import sql from 'sql-template-tag';
import type { KeyAccess } from '../../domain/accounts/api-keys.ts';
import type { ApiKey, KeyStore, NewKey } from '../interface/store.ts';
import type { Run, SharedDatabase } from './sql-runner.ts';

export const KEY_COLUMNS = sql`api_keys.id, account_id AS "accountId", name, last_four AS "lastFour",
  created_at AS "createdAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt", throttle, quota, scopes,
  own_links_only AS "ownLinksOnly",
  (SELECT disabled_at FROM accounts WHERE accounts.id = account_id) AS "disabledAt"`;

/** What a key may do, as its columns hold it. */
interface AccessColumns {
  /** Words with a space between them. */
  scopes: string;
  ownLinksOnly: number;
}

export type KeyRow = Omit<ApiKey, keyof KeyAccess> & AccessColumns;

export function keyOf({ scopes, ownLinksOnly, ...key }: KeyRow): ApiKey {
  return { ...key, scopes: scopes.split(' ') as KeyScope[], ownLinksOnly: ownLinksOnly === 1 };
}

export function columnsOf({ scopes, ownLinksOnly }: KeyAccess): AccessColumns {
  return { scopes: scopes.join(' '), ownLinksOnly: Number(ownLinksOnly) };
}

/** All of the keys but what each request asks: `find` stays by hand on each engine. */
export function keyStore({ read, write, transaction, rowLock }: SharedDatabase): Omit<KeyStore, 'find'> {
  async function create(run: Run, key: NewKey): Promise<ApiKey> {
    const { accountId, name, hash, lastFour, createdAt, throttle, quota } = key;
    const { scopes, ownLinksOnly } = columnsOf(key);
    const [row] = await run<KeyRow>(sql`INSERT INTO api_keys
        (account_id, name, hash, last_four, created_at, throttle, quota, scopes, own_links_only)
      VALUES (${accountId}, ${name}, ${hash}, ${lastFour}, ${createdAt}, ${throttle}, ${quota}, ${scopes}, ${ownLinksOnly})
      RETURNING ${KEY_COLUMNS}`);
    return keyOf(row as KeyRow);
  }

  const listWhere = async (condition: Sql) =>
    (await read<KeyRow>(sql`SELECT ${KEY_COLUMNS} FROM api_keys WHERE ${condition} ORDER BY id`)).map(keyOf);

  return {
    create: (key) => create(write, key),
    createWithin: ({ most, revokedSince }, key) =>
      transaction(async ({ run }) => {
        // Keys of an account are made one at a time, or two made at once would not count each other.
        await run(sql`SELECT id FROM accounts WHERE id = ${key.accountId} ${rowLock}`);
        const [row] = await run<{ keys: number }>(sql`SELECT count(*) AS keys FROM api_keys
          WHERE account_id = ${key.accountId} AND (revoked_at IS NULL OR revoked_at >= ${revokedSince})`);
        return (row?.keys ?? 0) < most ? create(run, key) : null;
      }),
    list: (accountId) => listWhere(accountId === undefined ? sql`account_id > 0` : sql`account_id = ${accountId}`),
    async change(accountId, id, { name, throttle, quota }) {
      const changed = await write(sql`UPDATE api_keys SET name = ${name}, throttle = ${throttle}, quota = ${quota}
        WHERE account_id = ${accountId} AND id = ${id} RETURNING id`);
      return changed.length === 1;
    },
    async revoke(id, now) {
      const revoked = await write(
        sql`UPDATE api_keys SET revoked_at = coalesce(revoked_at, ${now}) WHERE id = ${id} RETURNING id`,
      );
      return revoked.length === 1;
    },
    async touch(id, now) {
      // Requests at once wait for one another's row, so those that come late have nothing left to write.
      await write(sql`UPDATE api_keys SET last_used_at = ${now}
        WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < ${now})`);
    },
  };
}
