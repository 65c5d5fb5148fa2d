import sql from 'sql-template-tag';
import type { Index } from '../migrations/all-migrations.ts';
import { SettingError } from '../store-errors.ts';
import type { Run } from './sql-runner.ts';

/**
 * Index for lookups that ignore the case of short codes. The index is created only if `TERSE_CASE_INSENSITIVE_CODES`
 * is enabled.
 */
export const FOLDED_CODES: Index = { name: 'links_by_folded_code', on: 'links (lower(code))' };

const MAX_LISTED = 20;

/**
 * Rejects the setting for case-insensitive short codes if short codes of one domain differ only in case. Permanently
 * deleted links do not conflict with other links, because lookups prefer links that are not deleted.
 *
 * @throws SettingError that lists these short codes
 */
export async function refuseCollisions(run: Run, now: number): Promise<void> {
  const collisions = await run<{ codes: string; total: number }>(
    sql`SELECT codes, count(*) OVER () AS total FROM (
      SELECT string_agg(code, ', ' ORDER BY code) AS codes FROM links
      WHERE deleted_at IS NULL OR undo_until >= ${now} GROUP BY lower(code) HAVING count(*) > 1
    ) AS collisions ORDER BY codes LIMIT ${MAX_LISTED}`,
  );
  const [first] = collisions;
  if (!first) return;
  const listed = collisions.map(({ codes }) => codes.replace(/(^|, )\/\//g, '$1'));
  const more = first.total > listed.length ? `\nand ${first.total - listed.length} more` : '';
  throw new SettingError(
    `TERSE_CASE_INSENSITIVE_CODES cannot be used, because short codes differ only in case (${first.total}):\n${listed.join('\n')}${more}\nDelete all but one of each with "links delete", or set TERSE_CASE_INSENSITIVE_CODES=false.`,
  );
}
