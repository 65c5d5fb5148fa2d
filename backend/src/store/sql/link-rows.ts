import sql from 'sql-template-tag';
import type { NewLink, StoredLink } from '../../domain/links/stored-link.ts';
import type { Run } from './database.ts';

interface LinkToMake extends NewLink {
  accountId: number;
  keyId: number | null;
  createdAt: number;
}

/**
 * Creates a link with the first of its short codes that is not taken. The unique constraint detects taken codes.
 * Returns null if all codes are taken.
 */
export async function insertLink(run: Run, link: LinkToMake): Promise<StoredLink | null> {
  for (const code of link.codes) {
    const made = await insert(run, link, code);
    if (made) return made;
  }
  return null;
}

/** Creates a link with its total of clicks, which is zero. Returns null if the code is taken. */
async function insert(run: Run, link: LinkToMake, code: string): Promise<StoredLink | null> {
  const { codes: _, importedClicks = 0, ...fields } = link;
  const { url, accountId, keyId, title, tags, createdAt, expiresAt, forwardQuery } = fields;
  const [row] = await run<{ id: number }>(
    sql`INSERT INTO links
        (code, url, account_id, key_id, title, tags, created_at, expires_at, forward_query, imported_clicks)
      VALUES (${code}, ${url}, ${accountId}, ${keyId}, ${title}, ${JSON.stringify(tags)}, ${createdAt}, ${expiresAt},
        ${writeFlag(forwardQuery)}, ${importedClicks})
      ON CONFLICT (code) DO NOTHING RETURNING id`,
  );
  if (!row) return null;
  const { id } = row;
  await run(sql`INSERT INTO click_totals (link_id, account_id, clicks) VALUES (${id}, ${accountId}, 0)`);
  return { ...fields, id, code, deletedAt: null, undoUntil: null, clicks: 0, importedClicks };
}

export type LinkRow = Omit<StoredLink, 'tags' | 'forwardQuery'> & { tags: string; forwardQuery: number | null };

/** Columns of a `LinkRow`, without its clicks. */
export const OWN_COLUMNS = sql`id, code, url, links.account_id AS "accountId", key_id AS "keyId", title, tags,
  created_at AS "createdAt", expires_at AS "expiresAt", deleted_at AS "deletedAt", undo_until AS "undoUntil",
  forward_query AS "forwardQuery", imported_clicks AS "importedClicks"`;

/** Columns of a `LinkRow`. */
export const LINK_COLUMNS = sql`${OWN_COLUMNS},
  coalesce((SELECT clicks FROM click_totals WHERE link_id = links.id), 0) AS clicks`;

export function linkOf({ tags, forwardQuery, ...link }: LinkRow): StoredLink {
  return { ...link, forwardQuery: readFlag(forwardQuery), tags: JSON.parse(tags) };
}

/** Converts a column with the value 1, 0 or null to a boolean or null. */
export function readFlag(flag: number | null): boolean | null {
  return flag === null ? null : flag === 1;
}

export function writeFlag(flag: boolean | null): number | null {
  return flag === null ? null : Number(flag);
}
