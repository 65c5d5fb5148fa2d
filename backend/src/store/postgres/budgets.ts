import { spend } from '../../domain/budgets.ts';
import type { Clock } from '../../domain/clock.ts';
import type { DayUse } from '../../domain/day-quota.ts';
import type { BudgetStore } from '../store.ts';
import { openCharges } from './charges.ts';
import type { Database } from './database.ts';

export function budgetStore(database: Database, clock: Clock | null): BudgetStore {
  const charges = openCharges(database, clock);
  return {
    spend: (accountId, budget, units, most) =>
      database.transaction(async (ask) => {
        const { states, now } = await charges.lockAccounts(ask, [accountId], budget);
        const { use, spent } = spend(most, states.get(accountId) as DayUse, units, now);
        if (spent.granted > 0) await charges.chargeAccounts(ask, new Map([[accountId, use]]), budget);
        return spent;
      }),
  };
}
