import sql from 'sql-template-tag';
import type { Database, Run } from './database.ts';

/**
 * Runs `create` and stores its result, unless the account has already submitted the same form. Then returns the stored
 * result. A submission for which `create` returns null can be repeated.
 *
 * @param submission hash of the form, or null to run `create` in any case
 */
export async function createOnce(
  run: Run,
  { rowLock }: Pick<Database, 'rowLock'>,
  { accountId, submission, now }: { accountId: number; submission: Uint8Array | null; now: number },
  create: () => Promise<string | null>,
): Promise<{ result: string | null; isRepeated: boolean }> {
  if (submission === null) return { result: await create(), isRepeated: false };
  // Because of this lock, a form that is submitted twice at the same time is handled one after the other.
  await run(sql`SELECT id FROM accounts WHERE id = ${accountId} ${rowLock}`);
  const [before] = await run<{ result: string }>(
    sql`SELECT result FROM form_submissions WHERE account_id = ${accountId} AND hash = ${submission}`,
  );
  if (before) return { result: before.result, isRepeated: true };
  const result = await create();
  if (result !== null) {
    await run(sql`INSERT INTO form_submissions (account_id, hash, result, created_at)
      VALUES (${accountId}, ${submission}, ${result}, ${now})`);
  }
  return { result, isRepeated: false };
}
