import { clickTables } from './click-tables.ts';
import type { Dialect, Migration } from './schema-dialect.ts';

/**
 * Creates all tables of version 0.3.0, the first public version. Its id is higher than the ids of the unpublished
 * versions 0.1.0 and 0.2.0, which used other tables.
 */
export const baseSchema: Migration = {
  id: 100,
  name: 'base schema',
  statements: (dialect) => [
    ...accountTables(dialect),
    ...linkTables(dialect),
    ...limitTables(dialect),
    ...importTables(dialect),
    ...uploadTables(dialect),
    ...clickTables(dialect),
    ...processTables(dialect),
  ],
};

/**
 * Creates the tables of accounts. Account 1 belongs to the owner of the service. Links and API keys of a removed
 * account are assigned to account 0, so that their short codes stay reserved. To sign in to an account, a user must
 * first accept an invitation.
 *
 * `own_links_only` is 1 for a key that can access only the links that it created.
 */
function accountTables({ serial, integer, real, bytes, tableOptions }: Dialect): string[] {
  return [
    `CREATE TABLE accounts (
      id ${serial},
      name TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      disabled_at ${integer},
      removed_at ${integer}
    )${tableOptions}`,
    `INSERT INTO accounts (name, created_at) VALUES ('owner', 0)`,
    `INSERT INTO accounts (id, name, created_at, removed_at) VALUES (0, 'nobody', 0, 0)`,

    `CREATE TABLE credentials (
      account_id ${integer} PRIMARY KEY REFERENCES accounts (id),
      name_key TEXT NOT NULL UNIQUE,
      password TEXT NOT NULL,
      changed_at ${integer} NOT NULL
    )${tableOptions}`,

    `CREATE TABLE invitations (
      token_hash ${bytes} PRIMARY KEY,
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      created_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX invitations_by_account ON invitations (account_id)',

    `CREATE TABLE sessions (
      id ${serial},
      token_hash ${bytes} NOT NULL UNIQUE,
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      created_at ${integer} NOT NULL,
      last_used_at ${integer} NOT NULL,
      device TEXT NOT NULL
    )${tableOptions}`,
    'CREATE INDEX sessions_by_account ON sessions (account_id)',

    `CREATE TABLE api_keys (
      id ${serial},
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      name TEXT NOT NULL,
      hash ${bytes} NOT NULL UNIQUE,
      last_four TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      last_used_at ${integer},
      revoked_at ${integer},
      throttle ${real},
      quota ${integer},
      scopes TEXT NOT NULL DEFAULT 'create read manage',
      own_links_only ${integer} NOT NULL DEFAULT 0
    )${tableOptions}`,
  ];
}

/**
 * Creates the tables of links. The table `links` is designed for billions of rows. Other tables refer to a link by
 * its numeric id, not by its short code. The row of a deleted link is kept, so that its short code is never used
 * again.
 *
 * - `links.own_key_id` is set only for links of restricted keys, which keeps its index small.
 * - `links.undo_until` is the time until which a deletion can be undone, or null if the deletion is final.
 * - `links.forward_query` is null if the setting of the service applies.
 * - `links_by_creation` sorts by creation time, because an imported link can be older than links with lower ids.
 * - `link_tags_listed` lists the links with a tag by creation time. For this index, `account_id` and
 *   `link_created_at` are copied from `links`. `account_id` is null if the link is deleted. `tag_key` is the tag in
 *   lower case.
 * - `link_changes` counts changes to links, and `changed_links` lists the latest of them. Server processes use both to
 *   remove changed links from their caches.
 */
function linkTables({ serial, integer, byteText, tableOptions, clusteredOptions }: Dialect): string[] {
  return [
    `CREATE TABLE links (
      id ${serial},
      code ${byteText} NOT NULL UNIQUE,
      url TEXT NOT NULL,
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      key_id ${integer} REFERENCES api_keys (id),
      own_key_id ${integer},
      title TEXT,
      created_at ${integer} NOT NULL,
      expires_at ${integer},
      deleted_at ${integer},
      undo_until ${integer},
      forward_query ${integer},
      imported_clicks ${integer} NOT NULL DEFAULT 0
    )${tableOptions}`,
    'CREATE INDEX links_by_creation ON links (account_id, deleted_at, created_at, id)',
    'CREATE INDEX links_of_own_keys ON links (own_key_id, id) WHERE own_key_id IS NOT NULL AND deleted_at IS NULL',

    `CREATE TABLE link_tags (
      link_id ${integer} NOT NULL,
      position ${integer} NOT NULL,
      account_id ${integer} REFERENCES accounts (id) ON DELETE CASCADE,
      tag TEXT NOT NULL,
      tag_key ${byteText} NOT NULL,
      link_created_at ${integer} NOT NULL,
      PRIMARY KEY (link_id, position)
    )${clusteredOptions}`,
    'CREATE INDEX link_tags_listed ON link_tags (account_id, tag_key, link_created_at, link_id)',

    `CREATE TABLE link_changes (
      one ${integer} PRIMARY KEY,
      changes ${integer} NOT NULL
    )${tableOptions}`,
    'INSERT INTO link_changes (one, changes) VALUES (1, 0)',

    `CREATE TABLE changed_links (
      change ${integer} NOT NULL,
      code TEXT NOT NULL,
      PRIMARY KEY (change, code)
    )${clusteredOptions}`,
  ];
}

/**
 * Creates the tables with the usage of API keys and accounts, and with the results of repeatable requests and forms.
 * `form_submissions.result` names what the form created.
 */
function limitTables({ integer, real, bytes, tableOptions, clusteredOptions }: Dialect): string[] {
  return [
    `CREATE TABLE key_limits (
      key_id ${integer} PRIMARY KEY REFERENCES api_keys (id),
      open_at ${real} NOT NULL,
      day ${integer} NOT NULL,
      used ${integer} NOT NULL
    )${tableOptions}`,

    `CREATE TABLE quotas (
      account_id ${integer} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      quota TEXT NOT NULL,
      day ${integer} NOT NULL,
      used ${integer} NOT NULL,
      PRIMARY KEY (account_id, quota)
    )${clusteredOptions}`,

    `CREATE TABLE cached_responses (
      key_id ${integer} NOT NULL REFERENCES api_keys (id),
      endpoint TEXT NOT NULL,
      idempotency_key TEXT NOT NULL,
      fingerprint ${bytes} NOT NULL,
      status ${integer} NOT NULL,
      body TEXT NOT NULL,
      location TEXT,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (key_id, endpoint, idempotency_key)
    )${tableOptions}`,
    'CREATE INDEX cached_responses_by_age ON cached_responses (created_at)',

    `CREATE TABLE form_submissions (
      account_id ${integer} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      hash ${bytes} NOT NULL,
      result TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (account_id, hash)
    )${tableOptions}`,
    'CREATE INDEX form_submissions_by_age ON form_submissions (created_at)',
  ];
}

/**
 * Creates the tables of imports. `fingerprint` is a hash of the file. If the same file is imported again, the hash
 * identifies the unfinished import to continue. `runner` is the id of the upload that processes the import.
 */
function importTables({ serial, integer, bytes, tableOptions }: Dialect): string[] {
  return [
    `CREATE TABLE imports (
      id ${serial},
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      name TEXT NOT NULL,
      fingerprint ${bytes},
      total ${integer} NOT NULL,
      made ${integer} NOT NULL,
      unchanged ${integer} NOT NULL,
      refused ${integer} NOT NULL,
      started_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      finished_at ${integer},
      runner TEXT
    )${tableOptions}`,
    'CREATE INDEX imports_by_account ON imports (account_id, id)',

    `CREATE TABLE import_errors (
      import_id ${integer} NOT NULL REFERENCES imports (id),
      line ${integer} NOT NULL,
      subject TEXT NOT NULL,
      problem TEXT NOT NULL,
      PRIMARY KEY (import_id, line)
    )${tableOptions}`,
  ];
}

/**
 * Creates the tables of uploaded files. Each file is stored in pieces. `preview` is null until the file is complete.
 * `import_id` is null until the user confirms the import.
 */
function uploadTables({ serial, integer, bytes, tableOptions, clusteredOptions }: Dialect): string[] {
  return [
    `CREATE TABLE uploads (
      id ${serial},
      account_id ${integer} NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      token TEXT NOT NULL UNIQUE,
      name TEXT,
      size ${integer} NOT NULL,
      preview TEXT,
      import_id ${integer},
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    'CREATE INDEX uploads_by_account ON uploads (account_id)',

    `CREATE TABLE upload_pieces (
      upload_id ${integer} NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
      position ${integer} NOT NULL,
      content ${bytes} NOT NULL,
      PRIMARY KEY (upload_id, position)
    )${clusteredOptions}`,
  ];
}

/** Creates the table of running server processes. A migration that would break one of them is refused. */
function processTables({ integer, tableOptions }: Dialect): string[] {
  return [
    `CREATE TABLE serving_processes (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      newest_step ${integer} NOT NULL,
      seen_at ${integer} NOT NULL
    )${tableOptions}`,
  ];
}
