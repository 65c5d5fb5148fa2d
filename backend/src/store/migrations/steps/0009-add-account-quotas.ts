import type { Migration } from '../schema-dialect.ts';

/**
 * Adds daily quotas to accounts. Also adds the column `made` to cached responses. In rows from version 0.1, `made` is
 * null and `body` contains the HTTP response. In newer rows, `body` contains data from the request, and `status` is
 * 0.
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
