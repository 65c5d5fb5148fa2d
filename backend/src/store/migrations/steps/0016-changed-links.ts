import type { Migration } from '../schema-dialect.ts';

/**
 * Which links changed last, by the number that their change had in `link_changes`, so that a process drops these alone of
 * what it has at hand. A change without rows may have been of any link.
 */
export const changedLinks: Migration = {
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
