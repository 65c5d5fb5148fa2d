import type { Migration } from '../schema-dialect.ts';

/**
 * Adds an index to sort links by creation time. Links cannot be sorted by id, because an imported link can be older
 * than links with lower ids. The old index `links_listed` is kept for the previous version of Terse.
 */
export const sortLinksByCreation: Migration = {
  id: 17,
  name: 'links by creation',
  oldest: 13,
  indexes: () => [{ name: 'links_by_creation', on: 'links (account_id, deleted_at, created_at, id)' }],
  statements: () => [],
};
