import type { Services } from '../api/services.ts';
import type { ApiKey } from '../domain/accounts/api-keys.ts';
import { type ChargedQuota, limitsInForce } from '../domain/limits/create-requests.ts';
import type { KeyLimits, QuotaName } from '../domain/limits/key-limits.ts';
import { FIRST_ACCOUNT } from '../store/sql/account-queries.ts';
import { type DateFormats, formatNumber } from './components/dates-and-numbers.ts';

/** Daily quota of an account, and how much of it is left today. */
export interface RemainingQuota extends ChargedQuota {
  limit: number;
  resetAt: number;
}

/** Returns a daily quota of an account, or null if the account has no quota. */
export function dailyQuota(
  { accountLimits }: Pick<Services, 'accountLimits'>,
  accountId: number,
  name: QuotaName,
): number | null {
  return accountId === FIRST_ACCOUNT ? null : accountLimits[name];
}

/** Returns how much of an account's daily quota is left, or null if the account has no quota. */
export async function readQuota(
  services: Pick<Services, 'store' | 'clock' | 'accountLimits'>,
  accountId: number,
  name: QuotaName,
): Promise<RemainingQuota | null> {
  const limit = dailyQuota(services, accountId, name);
  if (limit === null) return null;
  return remainingQuota(limit, await services.store.quotas.left(accountId, name, limit), services.clock());
}

export function remainingQuota(limit: number, spent: ChargedQuota, now: number): RemainingQuota {
  return { ...spent, limit, resetAt: now + spent.resetSeconds * 1000 };
}

/**
 * Returns a message such as "Your account has reached its daily limit of 1,000 links. Try again after 2 Jul 2026,
 * 00:00 UTC."
 */
export function quotaUsedUpMessage(
  { limit, resetAt }: RemainingQuota,
  things: string,
  action: string,
  times: DateFormats,
): string {
  return `Your account has reached its daily limit of ${formatNumber(limit)} ${things}. ${action} after ${times.minuteText(resetAt)}.`;
}

/** An API key with its limits, and the number of requests that used the key today. */
export interface KeyUsage {
  key: ApiKey;
  limits: KeyLimits;
  used: number;
}

export async function readKeyUsage({ store, limits }: Services, key: ApiKey): Promise<KeyUsage> {
  const keyLimits = limitsInForce(key, limits, key.accountId === FIRST_ACCOUNT);
  const { quota } = await store.createRequests.left(key, { limits: keyLimits, accountQuota: null });
  return { key, limits: keyLimits, used: quota.limit - quota.remaining };
}
