import type { Migration } from '../schema-dialect.ts';

/**
 * What accounts have used of their budgets of the day. And what a submission made, from which the routes word its answer
 * again: null in a row of version 0.1, which kept the answer's own words; in all others `body` is the draft, `status` 0.
 */
export const budgets: Migration = {
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
