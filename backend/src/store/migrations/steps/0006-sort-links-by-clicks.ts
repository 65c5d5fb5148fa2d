import type { Migration } from '../schema-dialect.ts';

/**
 * Adds two indexes to sort an account's links by clicks: one for links with clicks, and one for links without clicks.
 */
export const sortLinksByClicks: Migration = {
  id: 6,
  name: 'links by clicks',
  statements: ({ integer }) => [
    `ALTER TABLE click_totals ADD COLUMN account_id ${integer}`,
    'DELETE FROM click_totals WHERE clicks = 0',
    'UPDATE click_totals SET account_id = (SELECT account_id FROM links WHERE id = link_id)',
    'CREATE INDEX click_totals_by_clicks ON click_totals (account_id, clicks, link_id)',

    `ALTER TABLE links ADD COLUMN clicked ${integer} NOT NULL DEFAULT 0`,
    'UPDATE links SET clicked = 1 WHERE id IN (SELECT link_id FROM click_totals)',
    'CREATE INDEX links_never_clicked ON links (account_id, id) WHERE clicked = 0 AND deleted_at IS NULL',
  ],
};
