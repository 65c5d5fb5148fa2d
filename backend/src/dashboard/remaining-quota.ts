import { type ChargedQuota, type QuotaName, quotasOf } from '../domain/limits/account-quotas.ts';
import { type KeyLimits, limitsInForce } from '../domain/limits/key-limits.ts';
import { type ApiKey, FIRST_ACCOUNT } from '../store/interface/store.ts';
import { type DateFormats, formatNumber } from './components/dates-and-numbers.ts';
import type { Services } from './page-definition.ts';

/** A budget of an account, after something was spent of it. */
export interface BudgetLeft extends ChargedQuota {
  /** What the account may spend in a UTC day. */
  most: number;
  /** When the budget is whole again. */
  resetAt: number;
}

/**
 * Spends units of what an account may do in a UTC day. Fewer are granted where fewer are left; spending 0 only reads the
 * budget. Null where nothing bounds the account.
 */
export async function spendBudget(
  { store, clock, accountLimits }: Pick<Services, 'store' | 'clock' | 'accountLimits'>,
  accountId: number,
  budget: QuotaName,
  units: number,
): Promise<BudgetLeft | null> {
  const most = quotasOf(accountId === FIRST_ACCOUNT, accountLimits)[budget];
  if (most === null) return null;
  const spent = await store.budgets.spend(accountId, budget, units, most);
  return { ...spent, most, resetAt: clock() + spent.resetSeconds * 1000 };
}

/** What to say where a budget is used up, such as "Your account has used up its 1,000 requests for today." */
export function usedUp({ most, resetAt }: BudgetLeft, things: string, action: string, times: DateFormats): string {
  return `Your account has used up its ${formatNumber(most)} ${things} for today. ${action} after ${times.minuteText(resetAt)}.`;
}

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
