import type { KeyScope } from '@terse/contract';
import sql, { type Sql } from 'sql-template-tag';
import type { ApiKey, KeyAccess } from '../../domain/accounts/api-keys.ts';
import { createOnce } from './create-request.ts';
import { type Database, isKnown, type Run } from './database.ts';

export interface NewKey extends Omit<ApiKey, 'id' | 'lastUsedAt' | 'revokedAt' | 'disabledAt'> {
  hash: Uint8Array;
}

const KEY_COLUMNS = sql`api_keys.id, account_id AS "accountId", name, last_four AS "lastFour",
  created_at AS "createdAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt", throttle, quota, scopes,
  own_links_only AS "ownLinksOnly",
  (SELECT disabled_at FROM accounts WHERE accounts.id = account_id) AS "disabledAt"`;

type KeyRow = Omit<ApiKey, keyof KeyAccess> & { scopes: string; ownLinksOnly: number };

function keyOf({ scopes, ownLinksOnly, ...key }: KeyRow): ApiKey {
  return { ...key, scopes: scopes.split(' ') as KeyScope[], ownLinksOnly: ownLinksOnly === 1 };
}

export function keyStore({ read, write, transaction, rowLock }: Database) {
  async function create(run: Run, key: NewKey): Promise<ApiKey> {
    const { accountId, name, hash, lastFour, createdAt, throttle, quota } = key;
    const [scopes, ownLinksOnly] = [key.scopes.join(' '), Number(key.ownLinksOnly)];
    const [row] = await run<KeyRow>(sql`INSERT INTO api_keys
        (account_id, name, hash, last_four, created_at, throttle, quota, scopes, own_links_only)
      VALUES (${accountId}, ${name}, ${hash}, ${lastFour}, ${createdAt}, ${throttle}, ${quota}, ${scopes}, ${ownLinksOnly})
      RETURNING ${KEY_COLUMNS}`);
    return keyOf(row as KeyRow);
  }

  const listWhere = async (condition: Sql) =>
    (await read<KeyRow>(sql`SELECT ${KEY_COLUMNS} FROM api_keys WHERE ${condition} ORDER BY id`)).map(keyOf);

  return {
    create: (key: NewKey) => create(write, key),
    /**
     * Creates an API key for a form if the account has fewer than `max` keys. Keys that were revoked after
     * `revokedSince` count too. Returns null if the account already has `max` keys, and `repeated` if the form was
     * already submitted.
     */
    createFromForm: (
      key: NewKey,
      { submission, max, revokedSince }: { submission: Uint8Array | null; max: number; revokedSince: number },
    ) =>
      transaction(async (run): Promise<ApiKey | 'repeated' | null> => {
        const { accountId, createdAt: now } = key;
        let created: ApiKey | null = null;
        const { isRepeated } = await createOnce(run, { rowLock }, { accountId, submission, now }, async () => {
          const [row] = await run<{ keys: number }>(sql`SELECT count(*) AS keys FROM api_keys
            WHERE account_id = ${accountId} AND (revoked_at IS NULL OR revoked_at >= ${revokedSince})`);
          if ((row?.keys ?? 0) < max) created = await create(run, key);
          return created && String(created.id);
        });
        return isRepeated ? 'repeated' : created;
      }),
    /** Returns the API key with this hash, even if the key is revoked. */
    async find(hash: Uint8Array): Promise<ApiKey | null> {
      const [row] = await read<KeyRow>(sql`SELECT ${KEY_COLUMNS} FROM api_keys WHERE hash = ${hash}`);
      return row ? keyOf(row) : null;
    },
    /** Returns the API keys of one account, or of all accounts if `accountId` is omitted. The oldest keys come first. */
    list: (accountId?: number) => listWhere(accountId === undefined ? sql`1 = 1` : sql`account_id = ${accountId}`),
    change: (accountId: number, id: number, { name, throttle, quota }: Pick<ApiKey, 'name' | 'throttle' | 'quota'>) =>
      isKnown(
        write(sql`UPDATE api_keys SET name = ${name}, throttle = ${throttle}, quota = ${quota}
          WHERE account_id = ${accountId} AND id = ${id} RETURNING id`),
      ),
    /** Revokes an API key. An earlier revocation time is kept. Returns false if the key does not exist. */
    revoke: (id: number, now: number) =>
      isKnown(write(sql`UPDATE api_keys SET revoked_at = coalesce(revoked_at, ${now}) WHERE id = ${id} RETURNING id`)),
    async touch(id: number, now: number): Promise<void> {
      // If several requests update `last_used_at` at the same time, this condition keeps the latest time.
      await write(sql`UPDATE api_keys SET last_used_at = ${now}
        WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < ${now})`);
    },
  };
}
