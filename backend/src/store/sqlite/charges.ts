import { type BudgetName, UNSPENT } from '../../domain/budgets.ts';
import type { DayUse } from '../../domain/day-quota.ts';
import { type LimitState, UNUSED } from '../../domain/limits.ts';
import type { Database } from './database.ts';

/** What keys and accounts have used of their limits. */
export function openCharges(database: Database) {
  const readKey = database.prepare('SELECT open_at AS openAt, day, used FROM key_limits WHERE key_id = ?');
  const writeKey = database.prepare(
    `INSERT INTO key_limits (key_id, open_at, day, used) VALUES (?, ?, ?, ?)
     ON CONFLICT (key_id) DO UPDATE SET open_at = excluded.open_at, day = excluded.day, used = excluded.used`,
  );
  const readAccount = database.prepare('SELECT day, used FROM account_budgets WHERE account_id = ? AND budget = ?');
  const writeAccount = database.prepare(
    `INSERT INTO account_budgets (account_id, budget, day, used) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id, budget) DO UPDATE SET day = excluded.day, used = excluded.used`,
  );

  return {
    key: (id: number) => (readKey.get(id) as unknown as LimitState | undefined) ?? UNUSED,
    chargeKey: (id: number, { openAt, day, used }: LimitState) => writeKey.run(id, openAt, day, used),
    account: (id: number, budget: BudgetName) =>
      (readAccount.get(id, budget) as unknown as DayUse | undefined) ?? UNSPENT,
    chargeAccount: (id: number, budget: BudgetName, { day, used }: DayUse) => writeAccount.run(id, budget, day, used),
  };
}
