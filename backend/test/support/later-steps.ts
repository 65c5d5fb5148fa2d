import type { Migration } from '../../src/store/migrations/schema-dialect.ts';

/**
 * Migrations of later versions. `EXPAND` adds a column and an index to the largest table, which the current version
 * supports. `CONTRACT` removes the index, which the current version does not support.
 */
export const EXPAND: Migration = {
  id: 1001,
  name: 'expand',
  oldest: 18,
  indexes: () => [{ name: 'links_by_url', on: 'links (url, id)' }],
  statements: ({ integer }) => [`ALTER TABLE links ADD COLUMN later ${integer}`],
};
export const CONTRACT: Migration = {
  id: 1002,
  name: 'contract',
  oldest: 1001,
  statements: () => ['DROP INDEX links_by_url'],
};
