import sql, { bulk } from 'sql-template-tag';
import { tagKey } from '../../domain/links/link-rules.ts';
import type { NewLink, StoredLink } from '../../domain/links/stored-link.ts';
import type { Run } from './database.ts';

interface LinkToMake extends NewLink {
  accountId: number;
  keyId: number | null;
  /** Id of the API key if the key can access only its own links, or null for all other keys. */
  ownKeyId: number | null;
  createdAt: number;
}

/** Short codes that were tried for a link, and the link that was created. `made` is null if all codes were taken. */
export interface LinkResult {
  tried: string[];
  made: StoredLink | null;
}

/** Creates a link with the first of its short codes that is not taken. The unique constraint detects taken codes. */
export async function insertLink(run: Run, link: LinkToMake): Promise<LinkResult> {
  const tried: string[] = [];
  for (const code of link.codes) {
    tried.push(code);
    const made = await insert(run, link, code);
    if (made) return { tried, made };
  }
  return { tried, made: null };
}

/** Creates a link with its tags, and its total of clicks, which is zero. Returns null if the code is taken. */
async function insert(run: Run, link: LinkToMake, code: string): Promise<StoredLink | null> {
  const { codes: _, ownKeyId, importedClicks = 0, ...fields } = link;
  const { url, accountId, keyId, title, createdAt, expiresAt, forwardQuery } = fields;
  const [row] = await run<{ id: number }>(
    sql`INSERT INTO links (code, url, account_id, key_id, own_key_id, title, created_at, expires_at, forward_query,
        imported_clicks)
      VALUES (${code}, ${url}, ${accountId}, ${keyId}, ${ownKeyId}, ${title}, ${createdAt}, ${expiresAt},
        ${writeFlag(forwardQuery)}, ${importedClicks})
      ON CONFLICT (code) DO NOTHING RETURNING id`,
  );
  if (!row) return null;
  const { id } = row;
  await run(sql`INSERT INTO click_totals (link_id, account_id, clicks) VALUES (${id}, ${accountId}, 0)`);
  const made = { ...fields, id, code, deletedAt: null, undoUntil: null, clicks: 0, importedClicks };
  const tags = tagRows(made);
  if (tags.length > 0) await run(sql`INSERT INTO link_tags (${TAG_COLUMNS}) VALUES ${bulk(tags)}`);
  return made;
}

/** Separator of a link's tags in the column `tags`. Tags contain no line breaks. */
const SEPARATOR = '\n';

export const TAGS_COLUMN = sql`(SELECT string_agg(tag, ${SEPARATOR} ORDER BY position) FROM link_tags
  WHERE link_id = links.id) AS tags`;

export type LinkRow = Omit<StoredLink, 'tags' | 'forwardQuery'> & { tags: string | null; forwardQuery: number | null };

export function linkOf({ tags, forwardQuery, ...link }: LinkRow): StoredLink {
  return { ...link, forwardQuery: readFlag(forwardQuery), tags: tags === null ? [] : tags.split(SEPARATOR) };
}

/** Converts a column with the value 1, 0 or null to a boolean or null. */
function readFlag(flag: number | null): boolean | null {
  return flag === null ? null : flag === 1;
}

export function writeFlag(flag: boolean | null): number | null {
  return flag === null ? null : Number(flag);
}

/** Columns of the table `link_tags`, in the same order as in `tagRows`. */
const TAG_COLUMNS = sql`link_id, position, account_id, tag, tag_key, link_created_at`;

type TagRow = [linkId: number, position: number, accountId: number, tag: string, key: string, createdAt: number];

function tagRows({ id, accountId, createdAt, tags }: StoredLink): TagRow[] {
  return tags.map((tag, position) => [id, position, accountId, tag, tagKey(tag), createdAt]);
}

/** Replaces the tags of a link. The link's row must be locked. */
export async function replaceTags(run: Run, link: StoredLink): Promise<void> {
  await run(sql`DELETE FROM link_tags WHERE link_id = ${link.id}`);
  const rows = tagRows(link);
  if (rows.length === 0) return;
  await run(sql`INSERT INTO link_tags (${TAG_COLUMNS}) VALUES ${bulk(rows)}`);
}
