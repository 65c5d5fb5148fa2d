import sql, { bulk } from 'sql-template-tag';
import type { StoredLink } from '../../domain/links/stored-link.ts';
import { tagKey } from '../../domain/links/titles-and-tags.ts';
import type { Run } from './sql-runner.ts';

/** Separator of a link's tags in the column `tags`. Tags contain no line breaks. */
const SEPARATOR = '\n';

export const TAGS_COLUMN = sql`(SELECT string_agg(tag, ${SEPARATOR} ORDER BY position) FROM link_tags
  WHERE link_id = links.id) AS tags`;

export type LinkRow = Omit<StoredLink, 'tags' | 'forwardQuery'> & { tags: string | null; forwardQuery: number | null };

export function linkOf({ tags, forwardQuery, ...link }: LinkRow): StoredLink {
  return { ...link, forwardQuery: readFlag(forwardQuery), tags: tags === null ? [] : tags.split(SEPARATOR) };
}

/** Converts a column with the value 1, 0 or null to a boolean or null. */
export function readFlag(flag: number | null): boolean | null {
  return flag === null ? null : flag === 1;
}

export function writeFlag(flag: boolean | null): number | null {
  return flag === null ? null : Number(flag);
}

/** Columns of the table `link_tags`, in the same order as in `tagRows`. */
export const TAG_COLUMNS = sql`link_id, position, account_id, tag, tag_key, link_created_at`;

type TagRow = [linkId: number, position: number, accountId: number, tag: string, key: string, createdAt: number];

export function tagRows({ id, accountId, createdAt, tags }: StoredLink): TagRow[] {
  return tags.map((tag, position) => [id, position, accountId, tag, tagKey(tag), createdAt]);
}

/** Replaces the tags of a link. The link's row must be locked. */
export async function replaceTags(run: Run, link: StoredLink): Promise<void> {
  await run(sql`DELETE FROM link_tags WHERE link_id = ${link.id}`);
  const rows = tagRows(link);
  if (rows.length === 0) return;
  await run(sql`INSERT INTO link_tags (${TAG_COLUMNS}) VALUES ${bulk(rows)}`);
}
