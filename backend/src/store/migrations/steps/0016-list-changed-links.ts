import type { Migration } from '../schema-dialect.ts';

/**
 * Adds a list of recently changed links. Server processes can then remove only these links from their caches. If the
 * list has no rows for a change, any link may have changed.
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
