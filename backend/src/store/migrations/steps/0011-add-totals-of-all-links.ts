import type { Migration } from '../schema-dialect.ts';

/**
 * Adds a click total of zero for each link without clicks, so that a single index can sort all links by clicks. The
 * column `links.clicked` is no longer used. It is not dropped, because SQLite would have to rewrite the whole table.
 */
export const addTotalsOfAllLinks: Migration = {
  id: 11,
  name: 'totals of all links',
  statements: () => [
    `INSERT INTO click_totals (link_id, account_id, clicks)
     SELECT id, CASE WHEN deleted_at IS NULL THEN account_id END, 0 FROM links
     WHERE account_id > 0 AND NOT EXISTS (SELECT 1 FROM click_totals WHERE link_id = links.id) ORDER BY id`,
    'DROP INDEX links_never_clicked',
  ],
};
