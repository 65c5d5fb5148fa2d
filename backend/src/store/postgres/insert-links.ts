import { TAG_ROW, tagRows, writeFlag } from '../sql/link-tags.ts';
import type { LinkResult, LinkToMake } from '../sql/sql-runner.ts';
import type { Ask, Database } from './connection-pool.ts';

/**
 * Formats numbers as a PostgreSQL array. The driver's own formatting is slower because it quotes and escapes each
 * number.
 */
export function numberArray(column: readonly (number | null)[]): string {
  return `{${column.map((value) => value ?? 'NULL').join(',')}}`;
}

interface Open extends LinkResult {
  link: LinkToMake;
  codes: Iterator<string>;
}

/**
 * Returns a function that creates links in a transaction. Each link has a list of short codes to try. If a code is
 * taken, the function tries the next code in the list.
 *
 * If `foldsCase` is true, codes that differ only in case count as the same code.
 */
export function linkMaker(database: Database, foldsCase: boolean) {
  const isFree = foldsCase ? 'WHERE NOT EXISTS (SELECT 1 FROM links WHERE lower(links.code) = link.code)' : '';
  const insert = database.prepare(
    `WITH made AS (
     INSERT INTO links (code, url, account_id, key_id, own_key_id, title, created_at, expires_at, forward_query,
       imported_clicks)
     SELECT code, url, account_id, key_id, own_key_id, title, created_at, expires_at, forward_query, imported_clicks
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::bigint[],
       $8::bigint[], $9::bigint[], $10::bigint[]) AS link (code, url, account_id, key_id, own_key_id, title,
       created_at, expires_at, forward_query, imported_clicks)
     ${isFree} ON CONFLICT (code) DO NOTHING RETURNING id, code, account_id
     ), totals AS (INSERT INTO click_totals (link_id, account_id, clicks) SELECT id, account_id, 0 FROM made)
     SELECT id, code FROM made`,
  );
  const insertTags = database.prepare(
    `INSERT INTO link_tags (${TAG_ROW})
     SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[])`,
  );

  return async (ask: Ask, links: LinkToMake[]): Promise<LinkResult[]> => {
    const attempts = links.map(begin);
    let open = attempts;
    while (open.length > 0) {
      const { first, others } = nextCodes(open);
      const drafts = [...first.values()].map(({ link }) => link);
      const rows = await ask<{ id: number; code: string }>(
        insert,
        [...first.keys()],
        drafts.map(({ url }) => url),
        numberArray(drafts.map(({ accountId }) => accountId)),
        numberArray(drafts.map(({ keyId }) => keyId)),
        numberArray(drafts.map(({ ownKeyId }) => ownKeyId)),
        drafts.map(({ title }) => title),
        numberArray(drafts.map(({ createdAt }) => createdAt)),
        numberArray(drafts.map(({ expiresAt }) => expiresAt)),
        numberArray(drafts.map(({ forwardQuery }) => writeFlag(forwardQuery))),
        numberArray(drafts.map(({ importedClicks = 0 }) => importedClicks)),
      );
      for (const { id, code } of rows) {
        const attempt = first.get(code) as Open;
        const { codes: _, ownKeyId: __, importedClicks = 0, ...fields } = attempt.link;
        attempt.made = { ...fields, id, code, deletedAt: null, undoUntil: null, clicks: 0, importedClicks };
        first.delete(code);
      }
      open = [...first.values(), ...others];
    }
    const tags = attempts.flatMap(({ made }) => (made ? tagRows(made) : []));
    if (tags.length > 0) await ask(insertTags, ...[0, 1, 2, 3, 4, 5].map((column) => tags.map((row) => row[column])));
    return attempts;
  };
}

function begin(link: LinkToMake): Open {
  return { link, codes: link.codes[Symbol.iterator](), tried: [], made: null };
}

/**
 * Takes the next short code to try for each link. If two links have the same code, the second link is returned in
 * `others`. Links without more codes are omitted.
 */
function nextCodes(open: Open[]): { first: Map<string, Open>; others: Open[] } {
  const first = new Map<string, Open>();
  const others: Open[] = [];
  for (const attempt of open) {
    const { value: code, done } = attempt.codes.next();
    if (done) continue;
    attempt.tried.push(code);
    if (first.has(code)) others.push(attempt);
    else first.set(code, attempt);
  }
  return { first, others };
}
