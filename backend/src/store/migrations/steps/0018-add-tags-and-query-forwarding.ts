import type { Migration } from '../schema-dialect.ts';

/**
 * Adds tags, query forwarding and imported click totals to links. If `forward_query` is null, the setting of the
 * service applies.
 *
 * The index `link_tags_listed` is used to list the links with a tag by creation time. `account_id` and
 * `link_created_at` are copied from `links` for this index. If the link is deleted, `account_id` is null. `tag_key`
 * is the tag in lower case.
 */
export const addTagsAndQueryForwarding: Migration = {
  id: 18,
  name: 'tags and query forwarding',
  oldest: 13,
  statements: ({ integer, byteText, clusteredOptions }) => [
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
    `ALTER TABLE links ADD COLUMN forward_query ${integer}`,
    `ALTER TABLE links ADD COLUMN imported_clicks ${integer} NOT NULL DEFAULT 0`,
  ],
};
