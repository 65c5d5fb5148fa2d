import type { Migration } from '../schema-dialect.ts';

/**
 * Stores the codes of recently changed links by the number of the change, so that processes drop only those from
 * their caches. If a change has no rows, any link may have changed.
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
