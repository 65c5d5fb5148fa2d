import type { Migration } from '../schema-dialect.ts';

/**
 * Adds a list of recently changed links, so that server processes can remove only these links from their caches.
 * After a change that is not in the list, a process must clear its whole cache.
 */
export const listChangedLinks: Migration = {
  id: 16,
  name: 'changed links',
  oldest: 13,
  statements: ({ integer, clusteredOptions }) => [
    `CREATE TABLE changed_links (
      change ${integer} NOT NULL,
      code TEXT NOT NULL,
      PRIMARY KEY (change, code)
    )${clusteredOptions}`,
  ],
};
