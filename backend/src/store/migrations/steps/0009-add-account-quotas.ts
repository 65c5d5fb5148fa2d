import type { Migration } from '../schema-dialect.ts';

/**
 * Adds daily quotas for accounts, and a column `made` for the created links of a cached response. If `made` is null,
 * `body` contains the complete response.
 */
export const addAccountQuotas: Migration = {
  id: 9,
  name: 'budgets',
  statements: ({ integer, clusteredOptions }) => [
    `CREATE TABLE account_budgets (
      account_id ${integer} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      budget TEXT NOT NULL,
      day ${integer} NOT NULL,
      used ${integer} NOT NULL,
      PRIMARY KEY (account_id, budget)
    )${clusteredOptions}`,
    'ALTER TABLE kept_answers ADD COLUMN made TEXT',
  ],
};
