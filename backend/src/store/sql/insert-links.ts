import sql, { bulk, join } from 'sql-template-tag';
import type { NewLink, StoredLink } from '../../domain/links/stored-link.ts';
import { TAG_COLUMNS, tagRows, writeFlag } from './link-tags.ts';
import { PREPARED, type Run } from './sql-runner.ts';

export interface LinkToMake extends NewLink {
  accountId: number;
  keyId: number | null;
  /** Id of the API key if the key can access only its own links, or null for all other keys. */
  ownKeyId: number | null;
  createdAt: number;
}

export interface LinkResult {
  tried: string[];
  made: StoredLink | null;
}

interface Attempt extends LinkResult {
  link: LinkToMake;
  codes: Iterator<string>;
}

/**
 * Creates links in a transaction. Each link has a list of short codes to try. The unique constraint detects taken
 * codes, and the next code in the list is tried.
 *
 * If `foldsCase` is true, older codes that differ only in case count as taken too. New codes are in lower case, so the
 * constraint also detects equal codes that are created at the same time.
 */
export async function insertLinks(run: Run, links: LinkToMake[], foldsCase: boolean): Promise<LinkResult[]> {
  const attempts: Attempt[] = links.map((link) => ({
    link,
    codes: link.codes[Symbol.iterator](),
    tried: [],
    made: null,
  }));
  let open = attempts;
  while (open.length > 0) {
    const { first, others } = nextCodes(open);
    const free = foldsCase ? await withoutTaken(run, first) : first;
    if (free.size > 0) await insert(run, free);
    open = [...[...first.values()].filter(({ made }) => made === null), ...others];
  }
  const made = attempts.flatMap((attempt) => attempt.made ?? []);
  if (made.length > 0) await insertDetails(run, made);
  return attempts;
}

/**
 * Takes the next short code to try for each link. If two links have the same code, the second link is returned in
 * `others`. Links without more codes are omitted.
 */
function nextCodes(open: Attempt[]): { first: Map<string, Attempt>; others: Attempt[] } {
  const first = new Map<string, Attempt>();
  const others: Attempt[] = [];
  for (const attempt of open) {
    const { value: code, done } = attempt.codes.next();
    if (done) continue;
    attempt.tried.push(code);
    if (first.has(code)) others.push(attempt);
    else first.set(code, attempt);
  }
  return { first, others };
}

async function withoutTaken(run: Run, attempts: Map<string, Attempt>): Promise<Map<string, Attempt>> {
  if (attempts.size === 0) return attempts;
  const taken = await run<{ code: string }>(
    sql`SELECT lower(code) AS code FROM links WHERE lower(code) IN (${join([...attempts.keys()])})`,
  );
  const codes = new Set(taken.map(({ code }) => code));
  return new Map([...attempts].filter(([code]) => !codes.has(code)));
}

async function insert(run: Run, attempts: Map<string, Attempt>): Promise<void> {
  const rows = [...attempts].map(([code, { link }]) => [
    code,
    link.url,
    link.accountId,
    link.keyId,
    link.ownKeyId,
    link.title,
    link.createdAt,
    link.expiresAt,
    writeFlag(link.forwardQuery),
    link.importedClicks ?? 0,
  ]);
  const inserted = await run<{ id: number; code: string }>(
    sql`INSERT INTO links (code, url, account_id, key_id, own_key_id, title, created_at, expires_at, forward_query,
        imported_clicks)
      VALUES ${bulk(rows)} ON CONFLICT (code) DO NOTHING RETURNING id, code`,
    rows.length === 1 ? PREPARED : undefined,
  );
  for (const { id, code } of inserted) {
    const attempt = attempts.get(code) as Attempt;
    const { codes: _, ownKeyId: __, importedClicks = 0, ...fields } = attempt.link;
    attempt.made = { ...fields, id, code, deletedAt: null, undoUntil: null, clicks: 0, importedClicks };
  }
}

/** Creates the total of clicks of each link, which is zero, and the tags. */
async function insertDetails(run: Run, links: StoredLink[]): Promise<void> {
  const totals = links.map(({ id, accountId }) => [id, accountId, 0]);
  await run(
    sql`INSERT INTO click_totals (link_id, account_id, clicks) VALUES ${bulk(totals)}`,
    totals.length === 1 ? PREPARED : undefined,
  );
  const tags = links.flatMap(tagRows);
  if (tags.length > 0) await run(sql`INSERT INTO link_tags (${TAG_COLUMNS}) VALUES ${bulk(tags)}`);
}
