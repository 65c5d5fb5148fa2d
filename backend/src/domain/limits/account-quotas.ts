import { MAX_KEYS } from './key-limits.ts';
import { type DayUse, reportQuota, useAt } from './throttle-and-quota.ts';

/**
 * What accounts other than the owner's may do in a UTC day, however many keys they have: `quota` orders to make links,
 * by the API and the dashboard's form together, and `importQuota` rows of files to import.
 */
export interface AccountLimits {
  quota: number;
  importQuota: number;
}

/** The budgets of one account; null where nothing bounds it. */
export interface AccountQuotas {
  links: number | null;
  rows: number | null;
}

/** What is counted against a budget. */
export type QuotaName = keyof AccountQuotas;

/** What was spent of a budget, and how it stands afterwards. */
export interface Spent {
  /** How many of the units asked for; fewer where fewer were left. */
  granted: number;
  left: number;
  /** Whole seconds until the budget is whole again. */
  resetSeconds: number;
}

export const UNSPENT: DayUse = { day: 0, used: 0 };

/** Rows of files that an account may import in a day, unless the operator sets another number. */
export const STANDARD_IMPORT_QUOTA = 10_000;

/** As many orders as all the keys an account may have can give, unless the operator sets another number. */
export function standardAccountQuota(keyQuota: number): number {
  return MAX_KEYS * keyQuota;
}

/** Whoever runs the service is bounded by nothing but the limits of the keys they make. */
export function quotasOf(isOwner: boolean, { quota, importQuota }: AccountLimits): AccountQuotas {
  return isOwner ? { links: null, rows: null } : { links: quota, rows: importQuota };
}

/** Spends up to `units` of what is left of a budget of `most` a day. */
export function spend(most: number, before: DayUse, units: number, now: number): { use: DayUse; spent: Spent } {
  const { day, used } = useAt(before, now);
  const granted = Math.min(units, Math.max(0, most - used));
  const use = { day, used: used + granted };
  const { remaining: left, resetSeconds } = reportQuota(most, use, now);
  return { use, spent: { granted, left, resetSeconds } };
}
