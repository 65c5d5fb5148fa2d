import sql from 'sql-template-tag';
import { SettingError } from '../store-errors.ts';
import type { Run } from './database.ts';

/**
 * Rejects the setting for case-insensitive short codes if a short code has capital letters. Lookups convert the
 * requested code to lower case, so they would not find this link.
 */
export async function refuseCapitalLetters(run: Run): Promise<void> {
  const [found] = await run<{ code: string }>(sql`SELECT code FROM links WHERE code <> lower(code) LIMIT 1`);
  if (!found) return;
  throw new SettingError(
    `TERSE_CASE_INSENSITIVE_CODES cannot be used, because this database has short codes with capital letters, such as ${found.code.replace(/^\/\//, '')}. Set it before you create the first link.`,
  );
}
