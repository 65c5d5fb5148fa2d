import type { Migration } from '../schema-dialect.ts';

/**
 * Makes deletions undoable. `undo_until` is the time until which a deletion can be undone, or null if the deletion is
 * final. A new index separates deleted links from other links, so that lists do not read deleted links.
 */
export const undoDeletions: Migration = {
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
