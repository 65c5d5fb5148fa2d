import type { Migration } from '../schema-dialect.ts';

/**
 * Adds an index to sort links by creation time. For imported links, the order by id would be wrong. The old index
 * `links_listed` is kept because the previous version uses it.
 */
export const sortLinksByCreation: Migration = {
  id: 17,
  name: 'links by creation',
  oldest: 13,
  indexes: () => [{ name: 'links_by_creation', on: 'links (account_id, deleted_at, created_at, id)' }],
  statements: () => [],
};
