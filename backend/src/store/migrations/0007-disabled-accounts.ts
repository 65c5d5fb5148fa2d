import type { Migration } from './dialect.ts';

/** When the operator shut somebody out; null where nobody did. */
export const disabledAccounts: Migration = {
  id: 7,
  name: 'disabled accounts',
  statements: ({ integer }) => [`ALTER TABLE accounts ADD COLUMN disabled_at ${integer}`],
};
