import type { Migration } from '../schema-dialect.ts';

/**
 * Adds an index to sort links by creation time, because the ids of imported links are not in order of creation. The
 * old index `links_listed` is kept for the previous version of Terse.
 */
export const sortLinksByCreation: Migration = {
  id: 17,
  name: 'links by creation',
  oldest: 13,
  indexes: () => [{ name: 'links_by_creation', on: 'links (account_id, deleted_at, created_at, id)' }],
  statements: () => [],
};
