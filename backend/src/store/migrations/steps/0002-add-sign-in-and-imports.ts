import type { Migration } from '../schema-dialect.ts';

/** Adds sign-in and imports. To sign in to an account, a user must first accept an invitation. */
export const addSignInAndImports: Migration = {
  id: 2,
  name: 'accounts',
  statements: ({ serial, integer, bytes, tableOptions }) => [
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

    `CREATE TABLE imports (
      id ${serial},
      account_id ${integer} NOT NULL REFERENCES accounts (id),
      name TEXT NOT NULL,
      total ${integer} NOT NULL,
      made ${integer} NOT NULL,
      unchanged ${integer} NOT NULL,
      refused ${integer} NOT NULL,
      started_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      finished_at ${integer}
    )${tableOptions}`,
    'CREATE INDEX imports_by_account ON imports (account_id, id)',

    `CREATE TABLE import_errors (
      import_id ${integer} NOT NULL REFERENCES imports (id),
      line ${integer} NOT NULL,
      subject TEXT NOT NULL,
      problem TEXT NOT NULL,
      PRIMARY KEY (import_id, line)
    )${tableOptions}`,
  ],
};
