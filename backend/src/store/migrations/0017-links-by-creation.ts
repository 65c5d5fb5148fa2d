import type { Migration } from './dialect.ts';

/**
 * Lists are sorted by when links were created, which for an imported link is long before it arrived. `links_listed` stays
 * for the previous version, which sorts by arrival.
 */
export const linksByCreation: Migration = {
  id: 17,
  name: 'links by creation',
  oldest: 13,
  indexes: () => [{ name: 'links_by_creation', on: 'links (account_id, deleted_at, created_at, id)' }],
  statements: () => [],
};
