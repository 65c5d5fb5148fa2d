import type { Migration } from '../schema-dialect.ts';

/**
 * Lists are sorted by creation, which is long before its arrival for an imported link. `links_listed` stays for the previous
 * version, which sorts by arrival.
 */
export const linksByCreation: Migration = {
  id: 17,
  name: 'links by creation',
  oldest: 13,
  indexes: () => [{ name: 'links_by_creation', on: 'links (account_id, deleted_at, created_at, id)' }],
  statements: () => [],
};
