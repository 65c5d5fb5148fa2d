import type { Migration } from '../schema-dialect.ts';

/**
 * Lists pass over no deleted link: those of an account that are not deleted are one range of an index, and the clicks of
 * deleted ones leave the order by clicks. `undo_until` is how long a deletion can be undone; null where it cannot.
 */
export const listsAndDeletions: Migration = {
  id: 10,
  name: 'lists and deletions',
  indexes: ({ byteOrder }) => [
    { name: 'links_listed', on: 'links (account_id, deleted_at, id)' },
    ...byteOrder('links', 'code').indexes,
  ],
  statements: ({ integer, byteOrder }) => [
    'UPDATE click_totals SET account_id = NULL WHERE link_id IN (SELECT id FROM links WHERE deleted_at IS NOT NULL)',
    `ALTER TABLE links ADD COLUMN undo_until ${integer}`,
    'DROP INDEX links_by_account',
    ...byteOrder('links', 'code').statements,
  ],
};
