import type { Migration } from '../schema-dialect.ts';

/** Counts the changes of links, so that a process asks after one number instead of after every link it has at hand. */
export const linkChanges: Migration = {
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
