import type { Migration } from '../schema-dialect.ts';

/**
 * When the operator shut an account out, and when it was removed: what it owned goes portion by portion, and its row at
 * the end. Account 0 is nobody's; links and keys of removed accounts pass to it, so that codes stay retired.
 */
export const accountsThatEnd: Migration = {
  id: 7,
  name: 'accounts that end',
  statements: ({ integer }) => [
    `ALTER TABLE accounts ADD COLUMN disabled_at ${integer}`,
    `ALTER TABLE accounts ADD COLUMN removed_at ${integer}`,
    "INSERT INTO accounts (id, name, created_at, removed_at) VALUES (0, 'nobody', 0, 0)",
  ],
};
