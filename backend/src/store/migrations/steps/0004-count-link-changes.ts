import type { Migration } from '../schema-dialect.ts';

/**
 * Adds a counter of link changes. Server processes use the counter to check if their cached links are still current.
 */
export const countLinkChanges: Migration = {
  id: 4,
  name: 'link changes',
  statements: ({ integer, tableOptions }) => [
    `CREATE TABLE link_changes (
      one ${integer} PRIMARY KEY,
      changes ${integer} NOT NULL
    )${tableOptions}`,
    'INSERT INTO link_changes (one, changes) VALUES (1, 0)',
  ],
};
