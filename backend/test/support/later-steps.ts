import type { Migration } from '../../src/store/migrations/schema-dialect.ts';

/**
 * What a later version adds to the schema and programs of this version live with: a column, and an index over the largest
 * table. And what the version after that takes away, which they do not.
 */
export const EXPAND: Migration = {
  id: 1001,
  name: 'expand',
  oldest: 13,
  indexes: () => [{ name: 'links_by_url', on: 'links (url, id)' }],
  statements: ({ integer }) => [`ALTER TABLE links ADD COLUMN later ${integer}`],
};
export const CONTRACT: Migration = {
  id: 1002,
  name: 'contract',
  oldest: 1001,
  statements: () => ['DROP INDEX links_by_url'],
};
