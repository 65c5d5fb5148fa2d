import { spend } from '../../domain/budgets.ts';
import type { Clock } from '../../domain/clock.ts';
import type { BudgetStore } from '../store.ts';
import { openCharges } from './charges.ts';
import type { Database } from './database.ts';

export function budgetStore(database: Database, clock: Clock): BudgetStore {
  const charges = openCharges(database);
  return {
    spend: (accountId, budget, units, most) =>
      database.write(() => {
        const { use, spent } = spend(most, charges.account(accountId, budget), units, clock());
        if (spent.granted > 0) charges.chargeAccount(accountId, budget, use);
        return spent;
      }),
  };
}
