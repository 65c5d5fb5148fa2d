import type { KeyScope } from '@terse/contract';
import sql from 'sql-template-tag';
import type { KeyAccess } from '../domain/keys.ts';
import type { ApiKey } from './store.ts';

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
