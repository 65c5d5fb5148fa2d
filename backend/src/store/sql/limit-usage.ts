import sql, { type Sql } from 'sql-template-tag';
import {
  type ChargedQuota,
  chargeQuota,
  type DayUsage,
  type KeyUsage,
  UNSPENT,
  UNUSED,
} from '../../domain/limits/create-requests.ts';
import type { QuotaName } from '../../domain/limits/key-limits.ts';
import type { Database, Run } from './database.ts';

const KEY_USAGE = sql`SELECT open_at AS "openAt", day, used FROM key_limits`;
const ACCOUNT_USAGE = sql`SELECT day, used FROM quotas`;

type Locking = Pick<Database, 'rowLock'>;

/**
 * Returns the usage of an API key, and locks it until the transaction ends. All transactions lock a key before its
 * account, which prevents deadlocks.
 */
export function lockKeyUsage(run: Run, { rowLock }: Locking, keyId: number): Promise<KeyUsage> {
  return lockUsage(
    run,
    sql`${KEY_USAGE} WHERE key_id = ${keyId} ${rowLock}`,
    sql`INSERT INTO key_limits (key_id, open_at, day, used)
      VALUES (${keyId}, ${UNUSED.openAt}, ${UNUSED.day}, ${UNUSED.used}) ON CONFLICT (key_id) DO NOTHING`,
  );
}

/** Returns the usage of an account's daily quota, and locks it until the transaction ends. */
export function lockAccountUsage(
  run: Run,
  { rowLock }: Locking,
  accountId: number,
  quota: QuotaName,
): Promise<DayUsage> {
  return lockUsage(
    run,
    sql`${ACCOUNT_USAGE} WHERE account_id = ${accountId} AND quota = ${quota} ${rowLock}`,
    sql`INSERT INTO quotas (account_id, quota, day, used)
      VALUES (${accountId}, ${quota}, ${UNSPENT.day}, ${UNSPENT.used}) ON CONFLICT (account_id, quota) DO NOTHING`,
  );
}

/** Locks a row of usage. If there is no row yet, inserts one that other transactions can lock too. */
async function lockUsage<Usage>(run: Run, lock: Sql, insert: Sql): Promise<Usage> {
  const [known] = await run<Usage>(lock);
  if (known) return known;
  await run(insert);
  const [added] = await run<Usage>(lock);
  return added as Usage;
}

export async function writeKeyUsage(run: Run, keyId: number, { openAt, day, used }: KeyUsage): Promise<void> {
  await run(sql`UPDATE key_limits SET open_at = ${openAt}, day = ${day}, used = ${used} WHERE key_id = ${keyId}`);
}

export async function writeAccountUsage(run: Run, accountId: number, quota: QuotaName, { day, used }: DayUsage) {
  await run(sql`UPDATE quotas SET day = ${day}, used = ${used} WHERE account_id = ${accountId} AND quota = ${quota}`);
}

/** Returns the usage of an API key and its account, without locks. */
export async function readUsage(read: Run, key: { id: number; accountId: number }, quota: QuotaName) {
  const [ofKey = UNUSED] = await read<KeyUsage>(sql`${KEY_USAGE} WHERE key_id = ${key.id}`);
  return { key: ofKey, account: await readAccountUsage(read, key.accountId, quota) };
}

async function readAccountUsage(read: Run, accountId: number, quota: QuotaName): Promise<DayUsage> {
  const usage = sql`${ACCOUNT_USAGE} WHERE account_id = ${accountId} AND quota = ${quota}`;
  const [known = UNSPENT] = await read<DayUsage>(usage);
  return known;
}

/** Charges up to `units` to an account's daily quota in a transaction. */
export async function chargeAccount(
  run: Run,
  database: Pick<Database, 'rowLock' | 'now'>,
  { accountId, quota, units, max }: { accountId: number; quota: QuotaName; units: number; max: number },
): Promise<ChargedQuota> {
  const before = await lockAccountUsage(run, database, accountId, quota);
  const { use, spent } = chargeQuota(max, before, units, await database.now(run));
  if (spent.granted > 0) await writeAccountUsage(run, accountId, quota, use);
  return spent;
}

/** Daily quotas of accounts. The database's clock decides when a new UTC day starts. */
export function quotaStore({ read, now }: Pick<Database, 'read' | 'now'>) {
  return {
    /** Returns the rest of an account's daily quota of `max` units. */
    async left(accountId: number, quota: QuotaName, max: number): Promise<ChargedQuota> {
      const usage = await readAccountUsage(read, accountId, quota);
      return chargeQuota(max, usage, 0, await now(read)).spent;
    },
  };
}
