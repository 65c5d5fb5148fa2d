import { type BudgetName, budgetsOf, type Spent } from '../domain/budgets.ts';
import { FIRST_ACCOUNT } from '../store/store.ts';
import type { Services } from './services.ts';

/**
 * Spends units of what an account may do in a UTC day. Fewer are granted where fewer are left; spending 0 only reads the
 * budget. Null where nothing bounds the account.
 */
export async function spendBudget(
  { store, accountLimits }: Pick<Services, 'store' | 'accountLimits'>,
  accountId: number,
  budget: BudgetName,
  units: number,
): Promise<(Spent & { most: number }) | null> {
  const most = budgetsOf(accountId === FIRST_ACCOUNT, accountLimits)[budget];
  return most === null ? null : { most, ...(await store.budgets.spend(accountId, budget, units, most)) };
}
