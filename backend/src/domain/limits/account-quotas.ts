import { MAX_KEYS } from './key-limits.ts';
import { type DayUsage, reportQuota, usageAt } from './throttle-and-quota.ts';

/**
 * Limits per UTC day of accounts other than the owner's, over all their keys: `quota` create requests by the API and
 * the dashboard, and `importQuota` imported rows.
 */
export interface AccountLimits {
  quota: number;
  importQuota: number;
}

/** Quotas of one account. Null if unlimited. */
export interface AccountQuotas {
  links: number | null;
  rows: number | null;
}

/** Name of an account's quota. */
export type QuotaName = keyof AccountQuotas;

/** Result of charging a quota. */
export interface ChargedQuota {
  /** Number of granted units. Less than requested if fewer were left. */
  granted: number;
  left: number;
  /** Whole seconds until the quota resets. */
  resetSeconds: number;
}

export const UNSPENT: DayUsage = { day: 0, used: 0 };

/** Default number of rows that an account may import per day. */
export const STANDARD_IMPORT_QUOTA = 10_000;

/** Returns the default daily quota of an account: the sum of all keys that it may have. */
export function standardAccountQuota(keyQuota: number): number {
  return MAX_KEYS * keyQuota;
}

/** Returns the quotas of an account. The owner has none, and is only limited by the keys. */
export function quotasOf(isOwner: boolean, { quota, importQuota }: AccountLimits): AccountQuotas {
  return isOwner ? { links: null, rows: null } : { links: quota, rows: importQuota };
}

/** Charges up to `units` to a daily quota of `most`. */
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
