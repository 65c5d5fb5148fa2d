import type { Migration } from '../schema-dialect.ts';

/**
 * What a key may do, as words with a space between them, and whether it sees no links but those it made. `own_key_id`
 * names the key of such links alone, so that a key without that restriction pays for no index of its links.
 */
export const keyScopes: Migration = {
  id: 8,
  name: 'key scopes',
  statements: ({ integer }) => [
    "ALTER TABLE api_keys ADD COLUMN scopes TEXT NOT NULL DEFAULT 'create read manage'",
    `ALTER TABLE api_keys ADD COLUMN own_links_only ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE links ADD COLUMN own_key_id ${integer}`,
    'CREATE INDEX links_of_own_keys ON links (own_key_id, id) WHERE own_key_id IS NOT NULL AND deleted_at IS NULL',
  ],
};
