import type { Migration } from '../schema-dialect.ts';

/**
 * Creates the tables for API keys and links. The table `links` is designed for billions of rows. Other tables refer
 * to a link by its numeric id, not by its short code. The row of a deleted link is kept, so that its short code is
 * never used again.
 */
export const createKeysAndLinks: Migration = {
  id: 1,
  name: 'keys and links',
  statements: ({ serial, integer, real, bytes, tableOptions }) => [
    `CREATE TABLE accounts (
      id ${serial},
      name TEXT NOT NULL,
      created_at ${integer} NOT NULL
    )${tableOptions}`,
    `INSERT INTO accounts (name, created_at) VALUES ('owner', 0)`,

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
      quota ${integer}
    )${tableOptions}`,

    `CREATE TABLE key_limits (
      key_id ${integer} PRIMARY KEY REFERENCES api_keys (id),
      open_at ${real} NOT NULL,
      day ${integer} NOT NULL,
      used ${integer} NOT NULL
    )${tableOptions}`,

    `CREATE TABLE links (
      id ${serial},
      code TEXT NOT NULL UNIQUE,
      url TEXT NOT NULL,
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      key_id ${integer} REFERENCES api_keys (id),
      title TEXT,
      created_at ${integer} NOT NULL,
      expires_at ${integer},
      deleted_at ${integer}
    )${tableOptions}`,
    'CREATE INDEX links_by_account ON links (account_id, id)',

    `CREATE TABLE kept_answers (
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
    'CREATE INDEX kept_answers_by_age ON kept_answers (created_at)',
  ],
};
