import type { Migration } from '../schema-dialect.ts';

/**
 * Sorts lists by creation time, which for imported links is earlier than their id suggests. `links_listed` stays for
 * the previous version, which sorts by id.
 */
export const sortLinksByCreation: Migration = {
  id: 17,
  name: 'links by creation',
  oldest: 13,
  indexes: () => [{ name: 'links_by_creation', on: 'links (account_id, deleted_at, created_at, id)' }],
  statements: () => [],
};
