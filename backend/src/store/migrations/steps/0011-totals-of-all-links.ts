import type { Migration } from '../schema-dialect.ts';

/**
 * Every link has a total from the start, so that those never clicked are a range of the same index as all others. To note
 * a link's first click in its own row cost more than all the rest of counting it: among millions of links that row
 * is on a page of its own. `links.clicked` stays where it is, unused: to take it out, SQLite would write every row anew.
 */
export const totalsOfAllLinks: Migration = {
  id: 11,
  name: 'totals of all links',
  statements: () => [
    `INSERT INTO click_totals (link_id, account_id, clicks)
     SELECT id, CASE WHEN deleted_at IS NULL THEN account_id END, 0 FROM links
     WHERE account_id > 0 AND NOT EXISTS (SELECT 1 FROM click_totals WHERE link_id = links.id) ORDER BY id`,
    'DROP INDEX links_never_clicked',
  ],
};
