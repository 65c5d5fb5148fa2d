import type { Migration } from '../schema-dialect.ts';

/**
 * Adds scopes to API keys. Also adds restricted keys, which can access only the links that they created. `own_key_id`
 * is set only for links of restricted keys, which keeps its index small.
 */
export const addKeyScopes: Migration = {
  id: 8,
  name: 'key scopes',
  statements: ({ integer }) => [
    "ALTER TABLE api_keys ADD COLUMN scopes TEXT NOT NULL DEFAULT 'create read manage'",
    `ALTER TABLE api_keys ADD COLUMN own_links_only ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE links ADD COLUMN own_key_id ${integer}`,
    'CREATE INDEX links_of_own_keys ON links (own_key_id, id) WHERE own_key_id IS NOT NULL AND deleted_at IS NULL',
  ],
};
