import type { Migration } from '../schema-dialect.ts';

/**
 * Adds columns for disabling and removing accounts. The data of a removed account is deleted in small transactions.
 * Links are kept to reserve their short codes. They are assigned to account 0, which has no owner.
 */
export const disableAndRemoveAccounts: Migration = {
  id: 7,
  name: 'accounts that end',
  statements: ({ integer }) => [
    `ALTER TABLE accounts ADD COLUMN disabled_at ${integer}`,
    `ALTER TABLE accounts ADD COLUMN removed_at ${integer}`,
    "INSERT INTO accounts (id, name, created_at, removed_at) VALUES (0, 'nobody', 0, 0)",
  ],
};
