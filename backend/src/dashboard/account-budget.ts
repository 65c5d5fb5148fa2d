import { type BudgetName, budgetsOf, type Spent } from '../domain/budgets.ts';
import { FIRST_ACCOUNT } from '../store/store.ts';
import type { Services } from './services.ts';
import type { Times } from './times.ts';
import { figure } from './words.ts';

/** A budget of an account, after something was spent of it. */
export interface BudgetLeft extends Spent {
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
  budget: BudgetName,
  units: number,
): Promise<BudgetLeft | null> {
  const most = budgetsOf(accountId === FIRST_ACCOUNT, accountLimits)[budget];
  if (most === null) return null;
  const spent = await store.budgets.spend(accountId, budget, units, most);
  return { ...spent, most, resetAt: clock() + spent.resetSeconds * 1000 };
}

/** What to say where a budget is used up, such as "Your account has used up its 1,000 requests for today." */
export function usedUp({ most, resetAt }: BudgetLeft, things: string, action: string, times: Times): string {
  return `Your account has used up its ${figure(most)} ${things} for today. ${action} after ${times.minuteText(resetAt)}.`;
}
