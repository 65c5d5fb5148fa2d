import type { KeyScope } from '@terse/contract';
import type { KeyAccess } from '../domain/keys.ts';
import type { ApiKey } from './store.ts';

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
