import sql, { raw, type Sql } from 'sql-template-tag';
import type { LinkTarget, NewLink, StoredLink } from '../../domain/links/stored-link.ts';
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
const OWN_COLUMNS = sql`id, code, url, links.account_id AS "accountId", key_id AS "keyId", title, tags,
  created_at AS "createdAt", expires_at AS "expiresAt", deleted_at AS "deletedAt", undo_until AS "undoUntil",
  forward_query AS "forwardQuery", imported_clicks AS "importedClicks"`;

/** Columns of a `LinkRow`. */
export const LINK_COLUMNS = sql`${OWN_COLUMNS},
  coalesce((SELECT clicks FROM click_totals WHERE link_id = links.id), 0) AS clicks`;

export function linkOf({ tags, forwardQuery, ...link }: LinkRow): StoredLink {
  return { ...link, forwardQuery: readFlag(forwardQuery), tags: JSON.parse(tags) };
}

/** Converts a column with the value 1, 0 or null to a boolean or null. */
function readFlag(flag: number | null): boolean | null {
  return flag === null ? null : flag === 1;
}

export function writeFlag(flag: boolean | null): number | null {
  return flag === null ? null : Number(flag);
}

/** Position in a list of links, from which the next page starts. The position stays valid if the link is deleted. */
export type LinkPosition = Pick<StoredLink, 'id' | 'createdAt'>;

/** Sort order of a list of links. Links with the same creation time or the same number of clicks are sorted by id. */
export type LinkOrder = 'newest' | 'oldest' | 'clicks';

/** Position after the newest link. */
const LAST: LinkPosition = { createdAt: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

const DIRECTIONS = {
  newest: { operator: raw('<'), sorting: raw('DESC'), start: LAST },
  oldest: { operator: raw('>'), sorting: raw('ASC'), start: { createdAt: Number.MIN_SAFE_INTEGER, id: 0 } },
};

/** Returns a function that reads links. Its statement must select `LINK_COLUMNS`. */
export function linkReader(read: Run): (statement: Sql) => Promise<StoredLink[]> {
  return async (statement) => (await read<LinkRow>(statement)).map(linkOf);
}

const TARGET = sql`SELECT id, url, expires_at AS "expiresAt", deleted_at AS "deletedAt",
  forward_query AS "forwardQuery" FROM links WHERE code = ${''}`;

/** Text of the statement for redirects, which is assembled only once. */
const TARGET_TEXT = { sql: TARGET.sql, text: TARGET.text };

type TargetRow = Omit<LinkTarget, 'forwardQuery'> & { forwardQuery: number | null };

/** Reads links for redirects, and lists of links. Lists omit deleted links. */
export function linkReads(read: Run) {
  const readLinks = linkReader(read);
  return {
    /**
     * Returns the link with a stored code (see `storedCode`), even if the link is deleted or expired. Returns null if
     * the code is unknown. If lookups ignore case, the code must be in lower case.
     */
    async resolve(code: string): Promise<LinkTarget | null> {
      const [row] = await read<TargetRow>({ ...TARGET_TEXT, values: [code] });
      if (!row) return null;
      const { id, url, expiresAt, deletedAt, forwardQuery } = row;
      return { id, url, expiresAt, deletedAt, forwardQuery: readFlag(forwardQuery) };
    },
    /** Returns links of an account, starting after the position `after`. */
    list: (accountId: number, after: LinkPosition | null, max: number, order: LinkOrder = 'newest') =>
      readLinks(
        order === 'clicks'
          ? byClicks({ account: accountId, max }, after)
          : byCreation({ account: accountId, max }, after, order),
      ),
    /**
     * Returns links that were created with an API key, newest first, starting after the position `after`. Supports only
     * API keys that are restricted to their own links.
     */
    listOfKey: (keyId: number, after: LinkPosition | null, max: number) =>
      readLinks(sql`SELECT ${LINK_COLUMNS} FROM links
        WHERE key_id = ${keyId} AND deleted_at IS NULL AND id < ${(after ?? LAST).id} ORDER BY id DESC LIMIT ${max}`),
  };
}

interface Page {
  account: number;
  max: number;
}

/**
 * Lists links by creation time. Also sorts by `deleted_at`, although its value is always null. Otherwise, PostgreSQL
 * would not use the index.
 */
export function byCreation({ account, max }: Page, after: LinkPosition | null, order: 'newest' | 'oldest'): Sql {
  const { operator, sorting, start } = DIRECTIONS[order];
  const { createdAt, id } = after ?? start;
  return inTwoParts(
    [sql`created_at = ${createdAt} AND id ${operator} ${id}`, sql`created_at ${operator} ${createdAt}`].map(
      (range) => sql`SELECT ${LINK_COLUMNS} FROM links
        WHERE account_id = ${account} AND deleted_at IS NULL AND ${range}
        ORDER BY deleted_at ${sorting}, created_at ${sorting}, id ${sorting} LIMIT ${max}`,
    ),
    sql`"createdAt" ${sorting}, id ${sorting} LIMIT ${max}`,
  );
}

/** Lists links by number of clicks. The clicks of the last link on the previous page are read again. */
export function byClicks({ account, max }: Page, after: Pick<LinkPosition, 'id'> | null): Sql {
  const { id } = after ?? LAST;
  const clicks = after
    ? sql`(SELECT clicks FROM click_totals WHERE link_id = ${id})`
    : sql`CAST(${Number.MAX_SAFE_INTEGER} AS BIGINT)`;
  return inTwoParts(
    [sql`clicks = ${clicks} AND link_id < ${id}`, sql`clicks < ${clicks}`].map(
      (range) => sql`SELECT ${OWN_COLUMNS}, clicks FROM click_totals JOIN links ON id = link_id
        WHERE click_totals.account_id = ${account} AND ${range} AND deleted_at IS NULL
        ORDER BY clicks DESC, link_id DESC LIMIT ${max}`,
    ),
    sql`clicks DESC, id DESC LIMIT ${max}`,
  );
}

/**
 * Combines two queries for one page of a list, so that each query can use an index. The first query selects links
 * with the same sort value as the last link of the previous page. The second query selects the links after these.
 * With a single condition such as `(created_at, id) < (?, ?)`, SQLite would search the index only by `created_at`.
 */
function inTwoParts([level, rest]: Sql[], order: Sql): Sql {
  return sql`SELECT * FROM (${level}) AS level UNION ALL SELECT * FROM (${rest}) AS rest ORDER BY ${order}`;
}
