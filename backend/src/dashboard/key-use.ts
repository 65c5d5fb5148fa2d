import { limitsInForce } from '../domain/key-limits.ts';
import type { KeyLimits } from '../domain/limits.ts';
import { type ApiKey, FIRST_ACCOUNT } from '../store/store.ts';
import type { Services } from './services.ts';

/** A key, the limits that hold for it, and how many of today's requests it has used. */
export interface KeyUse {
  key: ApiKey;
  limits: KeyLimits;
  used: number;
}

export async function useOfKey({ store, limits }: Services, key: ApiKey): Promise<KeyUse> {
  const held = limitsInForce(key, limits, key.accountId === FIRST_ACCOUNT);
  const { quota } = await store.submissions.left(key, { limits: held, accountQuota: null });
  return { key, limits: held, used: quota.limit - quota.remaining };
}
