import type { Clock } from '../../domain/clock-and-random.ts';
import { type ChargedQuota, chargeQuota, type QuotaName, UNSPENT } from '../../domain/limits/account-quotas.ts';
import { type LimitState, UNUSED } from '../../domain/limits/key-limits.ts';
import type { DayUsage } from '../../domain/limits/throttle-and-quota.ts';
import type { Ask, Database } from './connection-pool.ts';
import { numberArray } from './insert-links.ts';

/**
 * SQL expression for the current time according to the database's clock, in milliseconds. `now()` is not suitable,
 * because it returns the start time of the transaction.
 */
export const NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::double precision AS now';

/** Usage of API keys or accounts, by their ids. `now` is the time at which the database rows were locked. */
export interface Locked<State> {
  states: Map<number, State>;
  now: number;
}

/**
 * Returns functions that read and update the usage of API keys and accounts. The database rows stay locked until the
 * transaction ends. To prevent deadlocks, all transactions lock keys before accounts, each sorted by id. The time is
 * read after locking, because waiting for a lock can take a long time.
 */
export function openCharges(database: Database, clock: Clock | null) {
  // The subquery locks the rows first. Without it, PostgreSQL could read the time before locking the rows.
  const lockKeys = database.prepare(
    `WITH locked AS MATERIALIZED (
       SELECT key_id, open_at, day, used FROM key_limits WHERE key_id = ANY ($1::bigint[]) ORDER BY key_id FOR UPDATE)
     SELECT key_id AS id, open_at AS "openAt", day, used, ${NOW} FROM locked`,
    { changesNothing: true },
  );
  const addKeys = database.prepare(
    `INSERT INTO key_limits (key_id, open_at, day, used)
     SELECT key_id, $2::double precision, $3::bigint, $4::bigint FROM unnest($1::bigint[]) AS key (key_id)
     ON CONFLICT (key_id) DO NOTHING`,
  );
  const writeKeys = database.prepare(
    `UPDATE key_limits SET open_at = state.open_at, day = state.day, used = state.used
     FROM unnest($1::bigint[], $2::double precision[], $3::bigint[], $4::bigint[]) AS state (key_id, open_at, day, used)
     WHERE key_limits.key_id = state.key_id`,
  );
  const lockAccounts = database.prepare(
    `WITH locked AS MATERIALIZED (
       SELECT account_id, day, used FROM quotas WHERE account_id = ANY ($1::bigint[]) AND quota = $2
       ORDER BY account_id FOR UPDATE)
     SELECT account_id AS id, day, used, ${NOW} FROM locked`,
  );
  const addAccounts = database.prepare(
    `INSERT INTO quotas (account_id, quota, day, used)
     SELECT account_id, $2::text, $3::bigint, $4::bigint FROM unnest($1::bigint[]) AS account (account_id)
     ON CONFLICT (account_id, quota) DO NOTHING`,
  );
  const writeAccounts = database.prepare(
    `UPDATE quotas SET day = state.day, used = state.used
     FROM unnest($1::bigint[], $3::bigint[], $4::bigint[]) AS state (account_id, day, used)
     WHERE quotas.account_id = state.account_id AND quota = $2`,
  );

  async function lockAll<State>(
    ids: number[],
    lock: (some: number[]) => Promise<(State & { id: number; now: number })[]>,
    add: (missing: number[]) => Promise<unknown>,
  ): Promise<Locked<State>> {
    const rows = await lock(ids);
    const found = new Set(rows.map(({ id }) => id));
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0) {
      await add(missing);
      rows.push(...(await lock(missing)));
    }
    const now = clock?.() ?? Math.max(...rows.map((row) => row.now));
    return { states: new Map(rows.map((row) => [row.id, row])), now };
  }

  return {
    lockKeys: (ask: Ask, ids: number[]) =>
      lockAll<LimitState>(
        inOrder(ids),
        (some) => ask(lockKeys, numberArray(some)),
        (missing) => ask(addKeys, numberArray(missing), UNUSED.openAt, UNUSED.day, UNUSED.used),
      ),
    async chargeKeys(ask: Ask, changed: Map<number, LimitState>) {
      const states = [...changed.values()];
      if (states.length === 0) return;
      await ask(
        writeKeys,
        numberArray([...changed.keys()]),
        column(states, 'openAt'),
        column(states, 'day'),
        column(states, 'used'),
      );
    },
    lockAccounts: (ask: Ask, ids: number[], quota: QuotaName) =>
      lockAll<DayUsage>(
        inOrder(ids),
        (some) => ask(lockAccounts, numberArray(some), quota),
        (missing) => ask(addAccounts, numberArray(missing), quota, UNSPENT.day, UNSPENT.used),
      ),
    async chargeAccounts(ask: Ask, changed: Map<number, DayUsage>, quota: QuotaName) {
      const states = [...changed.values()];
      if (states.length === 0) return;
      await ask(writeAccounts, numberArray([...changed.keys()]), quota, column(states, 'day'), column(states, 'used'));
    },
  };
}

const inOrder = (ids: number[]): number[] => [...new Set(ids)].sort((one, other) => one - other);

const column = <Name extends string>(rows: Record<Name, number>[], name: Name): string =>
  numberArray(rows.map((row) => row[name]));

/** Returns a function that charges an account's daily quota in a transaction. */
export function quotaCharger(database: Database, clock: Clock | null) {
  const charges = openCharges(database, clock);
  return async (ask: Ask, accountId: number, quota: QuotaName, units: number, max: number): Promise<ChargedQuota> => {
    const { states, now } = await charges.lockAccounts(ask, [accountId], quota);
    const { use, spent } = chargeQuota(max, states.get(accountId) as DayUsage, units, now);
    if (spent.granted > 0) await charges.chargeAccounts(ask, new Map([[accountId, use]]), quota);
    return spent;
  };
}
