/**
 * Tables of version 0.3.0, the first public version, in SQLite's dialect.
 *
 * The table `links` is designed for billions of rows. Other tables refer to a link by its numeric id, not by its short
 * code. Text columns that only Terse compares have the collation BINARY: other collations are slower, and an update of
 * the operating system can change them, which breaks the index.
 */
export const BASE_SCHEMA = `
-- Account 1 belongs to the owner of the service. Links of a removed account are assigned to account 0, so that their
-- short codes stay reserved. name_key and password are null until a user has accepted an invitation.
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_key TEXT UNIQUE,
  password TEXT,
  created_at INTEGER NOT NULL,
  disabled_at INTEGER,
  removed_at INTEGER
) STRICT;
INSERT INTO accounts (name, created_at) VALUES ('owner', 0);
INSERT INTO accounts (id, name, created_at, removed_at) VALUES (0, 'nobody', 0, 0);

CREATE TABLE invitations (
  token_hash BLOB PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX invitations_by_account ON invitations (account_id);

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  token_hash BLOB NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  device TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_by_account ON sessions (account_id);

-- own_links_only is 1 for a key that can access only the links that it created.
CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  last_four TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER,
  throttle REAL,
  quota INTEGER,
  scopes TEXT NOT NULL,
  own_links_only INTEGER NOT NULL
) STRICT;

-- The row of a deleted link is kept, so that its short code is never used again. undo_until is the time until which a
-- deletion can be undone, or null if the deletion is final. key_id is set only for links of restricted keys, which keeps
-- its index small. tags is a JSON array. forward_query is null if the setting of the service applies. links_by_creation
-- sorts by creation time, because an imported link can be older than links with lower ids.
CREATE TABLE links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT COLLATE BINARY NOT NULL UNIQUE,
  url TEXT NOT NULL,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  key_id INTEGER,
  title TEXT,
  tags TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  deleted_at INTEGER,
  undo_until INTEGER,
  forward_query INTEGER,
  imported_clicks INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX links_by_creation ON links (account_id, deleted_at, created_at, id);
CREATE INDEX links_of_keys ON links (key_id, id) WHERE key_id IS NOT NULL AND deleted_at IS NULL;

-- subject names an API key or an account, such as "key 5", "links 3" or "rows 3". open_at is used only for keys.
CREATE TABLE limit_usage (
  subject TEXT PRIMARY KEY,
  open_at REAL NOT NULL,
  day INTEGER NOT NULL,
  used INTEGER NOT NULL
) STRICT;

CREATE TABLE cached_responses (
  key_id INTEGER NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  endpoint TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  fingerprint BLOB NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  location TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (key_id, endpoint, idempotency_key)
) STRICT;
CREATE INDEX cached_responses_by_age ON cached_responses (created_at);

-- result names what the form created.
CREATE TABLE form_submissions (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hash BLOB NOT NULL,
  result TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, hash)
) STRICT;
CREATE INDEX form_submissions_by_age ON form_submissions (created_at);

-- fingerprint is a hash of the file. If the same file is imported again, the hash identifies the unfinished import to
-- continue. runner is the id of the upload that processes the import.
CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  fingerprint BLOB,
  total INTEGER NOT NULL,
  made INTEGER NOT NULL,
  unchanged INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER,
  runner TEXT
) STRICT;
CREATE INDEX imports_by_account ON imports (account_id, id);

CREATE TABLE import_errors (
  import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  line INTEGER NOT NULL,
  subject TEXT NOT NULL,
  problem TEXT NOT NULL,
  PRIMARY KEY (import_id, line)
) STRICT;

-- Uploaded files. Until the user confirms the import, import_id is null. After that, content is null.
CREATE TABLE uploads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  token TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  total INTEGER NOT NULL,
  content BLOB,
  import_id INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX uploads_by_account ON uploads (account_id);

-- The tables of clicks have no foreign keys, because checking a foreign key would cost more than counting a click.
-- Each row of waiting_clicks has clicks that are not counted yet, as JSON, and their number. visitors is null if their
-- day is over. counting_rounds has ranges of the ids of the rows that are being counted, as JSON, the number of clicks
-- among them that are counted, and the number of ranges whose rows are deleted. click_batches has the last batch of
-- clicks that each process stored.
CREATE TABLE waiting_clicks (
  id INTEGER PRIMARY KEY,
  day INTEGER NOT NULL,
  size INTEGER NOT NULL,
  clicks TEXT NOT NULL,
  visitors TEXT
) STRICT;
CREATE INDEX waiting_clicks_by_size ON waiting_clicks (id, size);
CREATE TABLE counting_rounds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  ranges TEXT NOT NULL,
  counted INTEGER NOT NULL,
  deleted INTEGER NOT NULL
) STRICT;
CREATE TABLE click_batches (
  process TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  written_at INTEGER NOT NULL
) STRICT;

-- click_totals has a row for each link, so that an index can sort all links by clicks. account_id is null if the link
-- is deleted.
CREATE TABLE click_totals (
  link_id INTEGER PRIMARY KEY,
  account_id INTEGER,
  clicks INTEGER NOT NULL
) STRICT;
CREATE INDEX click_totals_by_clicks ON click_totals (account_id, clicks, link_id);

-- One row per link and day, so that reading the counts stays fast for any number of clicks.
CREATE TABLE click_days (
  link_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  counts TEXT NOT NULL,
  PRIMARY KEY (link_id, day)
) STRICT, WITHOUT ROWID;

-- Hourly clicks of an account, so that the dashboard can show today's clicks quickly.
CREATE TABLE account_hours (
  account_id INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  clicks INTEGER NOT NULL,
  PRIMARY KEY (account_id, hour)
) STRICT, WITHOUT ROWID;

-- The rows of both tables are deleted when their day is over.
CREATE TABLE visitor_days (
  day INTEGER PRIMARY KEY,
  salt BLOB
) STRICT;
CREATE TABLE visitors (
  day INTEGER NOT NULL,
  link_id INTEGER NOT NULL,
  hash INTEGER NOT NULL,
  PRIMARY KEY (day, link_id, hash)
) STRICT, WITHOUT ROWID;

-- Running server processes. A migration that would break one of them is refused.
CREATE TABLE serving_processes (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  newest_step INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;
`;
