import { MAX_KEYS } from './key-limits.ts';
import { type DayUsage, reportQuota, usageAt } from './throttle-and-quota.ts';

/**
 * Daily limits of an account, shared by all its API keys. `quota` limits requests to create links through the API and
 * the dashboard. `importQuota` limits imported rows. Days are in UTC. The limits do not apply to the owner's account.
 */
export interface AccountLimits {
  quota: number;
  importQuota: number;
}

/** Daily limits of one account. Null means unlimited. */
export interface AccountQuotas {
  links: number | null;
  rows: number | null;
}

export type QuotaName = keyof AccountQuotas;

export interface ChargedQuota {
  /** Number of charged units. It is less than requested if not enough units were left. */
  granted: number;
  left: number;
  resetSeconds: number;
}

export const UNSPENT: DayUsage = { day: 0, used: 0 };

export const STANDARD_IMPORT_QUOTA = 10_000;

/**
 * Returns the default daily quota of an account. It is large enough for `MAX_KEYS` API keys that each use their full
 * quota.
 */
export function standardAccountQuota(keyQuota: number): number {
  return MAX_KEYS * keyQuota;
}

/**
 * Returns the daily quotas of an account. The owner's account has no quotas, although each of its API keys has
 * limits.
 */
export function quotasOf(isOwner: boolean, { quota, importQuota }: AccountLimits): AccountQuotas {
  return isOwner ? { links: null, rows: null } : { links: quota, rows: importQuota };
}

export function chargeQuota(
  most: number,
  before: DayUsage,
  units: number,
  now: number,
): { use: DayUsage; spent: ChargedQuota } {
  const { day, used } = usageAt(before, now);
  const granted = Math.min(units, Math.max(0, most - used));
  const use = { day, used: used + granted };
  const { remaining: left, resetSeconds } = reportQuota(most, use, now);
  return { use, spent: { granted, left, resetSeconds } };
}
