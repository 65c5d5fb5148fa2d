import sql, { bulk, join } from 'sql-template-tag';
import type { Run } from './database.ts';

export interface LinkChanges {
  /** Number of link changes since the database was created. */
  changes: number;
  /** Short codes of the changed links. Null if the list of changes is incomplete, so any link may have changed. */
  codes: string[] | null;
}

/**
 * Maximum number of changed short codes to read at once. If more codes have changed, the server process clears its
 * whole cache.
 */
const MAX_CODES_READ = 2000;

/**
 * Number of changes to keep in the list of link changes. A server process that has missed more changes clears its
 * whole cache.
 */
const KEPT_CHANGES = 10_000;

/** Maximum number of changes per DELETE statement, so that the statement holds its locks only briefly. */
const DELETED_AT_ONCE = 1000;

/**
 * Records a change to one or more links under the next change number. Must run in the same transaction as the change.
 * The counter stays locked until the commit, so that other processes see all changes in order.
 *
 * @param codes short codes of the changed links, or null if there are too many to list
 */
export async function recordChange(run: Run, codes: readonly string[] | null): Promise<void> {
  const [row] = await run<{ changes: number }>(
    sql`UPDATE link_changes SET changes = changes + 1 WHERE one = 1 RETURNING changes`,
  );
  if (!row || codes === null) return;
  await run(sql`INSERT INTO changed_links (change, code) VALUES ${bulk(codes.map((code) => [row.changes, code]))}`);
}

/**
 * Returns the current change number and the short codes of links that changed after `last`. One query reads both, so
 * that no change is missed.
 */
export async function changesSince(read: Run, last: number | null): Promise<LinkChanges> {
  const rows = await read<{ changes: number; change: number | null; code: string | null }>(
    sql`SELECT changes, change, code FROM link_changes LEFT JOIN changed_links ON change > ${last ?? Number.MAX_SAFE_INTEGER}
      WHERE one = 1 LIMIT ${MAX_CODES_READ + 1}`,
  );
  const changes = rows[0]?.changes as number;
  if (last === null) return { changes, codes: null };
  const named = rows.filter(({ change }) => change !== null);
  const areAllNamed =
    new Set(named.map(({ change }) => change)).size === changes - last && rows.length <= MAX_CODES_READ;
  return { changes, codes: areAllNamed ? named.map(({ code }) => code as string) : null };
}

export async function deleteChanges(read: Run, write: Run, kept = KEPT_CHANGES): Promise<void> {
  const [row] = await read<{ changes: number }>(sql`SELECT changes FROM link_changes WHERE one = 1`);
  const until = (row?.changes ?? 0) - kept;
  for (;;) {
    const old = await read<{ change: number }>(
      sql`SELECT DISTINCT change FROM changed_links WHERE change <= ${until} ORDER BY change LIMIT ${DELETED_AT_ONCE}`,
    );
    if (old.length === 0) return;
    await write(sql`DELETE FROM changed_links WHERE change IN (${join(old.map(({ change }) => change))})`);
  }
}
