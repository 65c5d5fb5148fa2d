import type { Migration } from '../schema-dialect.ts';

/**
 * Creates a zero total for each link, so that links without clicks appear in the same index. Marking the first click
 * in the link's row was slow, because each such write loads another page. `links.clicked` is no longer used. It
 * stays because SQLite would rewrite the whole table to drop it.
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
