import sql from 'sql-template-tag';
import { type ChargedQuota, chargeQuota, type KeyUsage, UNUSED } from '../../domain/limits/create-requests.ts';
import type { QuotaName } from '../../domain/limits/key-limits.ts';
import type { Database, Run } from './database.ts';

/** API key or account whose usage is stored, with the kind of its limit. */
export type Subject = `key ${number}` | `${QuotaName} ${number}`;

/**
 * Returns the usage of an API key or an account, and locks it until the transaction ends. All transactions lock a key
 * before its account, which prevents deadlocks.
 */
export async function lockUsage(run: Run, subject: Subject): Promise<KeyUsage> {
  // The update changes nothing. It locks the row that exists already.
  const [usage] = await run<KeyUsage>(sql`INSERT INTO limit_usage (subject, open_at, day, used)
    VALUES (${subject}, ${UNUSED.openAt}, ${UNUSED.day}, ${UNUSED.used})
    ON CONFLICT (subject) DO UPDATE SET used = limit_usage.used RETURNING open_at AS "openAt", day, used`);
  return usage as KeyUsage;
}

export async function writeUsage(run: Run, subject: Subject, usage: Partial<KeyUsage>): Promise<void> {
  const { openAt, day, used } = { ...UNUSED, ...usage };
  await run(sql`UPDATE limit_usage SET open_at = ${openAt}, day = ${day}, used = ${used} WHERE subject = ${subject}`);
}

/** Returns the usage of an API key or an account, without locking it. */
export async function readUsage(read: Run, subject: Subject): Promise<KeyUsage> {
  const [usage = UNUSED] = await read<KeyUsage>(
    sql`SELECT open_at AS "openAt", day, used FROM limit_usage WHERE subject = ${subject}`,
  );
  return usage;
}

/** Charges up to `units` to an account's daily quota in a transaction. */
export async function chargeAccount(
  run: Run,
  { now }: Pick<Database, 'now'>,
  { accountId, quota, units, max }: { accountId: number; quota: QuotaName; units: number; max: number },
): Promise<ChargedQuota> {
  const subject: Subject = `${quota} ${accountId}`;
  const before = await lockUsage(run, subject);
  const { use, spent } = chargeQuota(max, before, units, await now(run));
  if (spent.granted > 0) await writeUsage(run, subject, use);
  return spent;
}

/** Daily quotas of accounts. The database's clock decides when a new UTC day starts. */
export function quotaStore({ read, now }: Pick<Database, 'read' | 'now'>) {
  return {
    /** Returns the rest of an account's daily quota of `max` units. */
    async left(accountId: number, quota: QuotaName, max: number): Promise<ChargedQuota> {
      return chargeQuota(max, await readUsage(read, `${quota} ${accountId}`), 0, await now(read)).spent;
    },
  };
}
