import sql from 'sql-template-tag';
import type { WaitingClick } from '../../domain/analytics/day-counts.ts';
import type { Clock } from '../../domain/clock-and-random.ts';
import type { AddClicks } from '../sql/click-queries.ts';
import type { Database } from '../sql/database.ts';
import { refuseCapitalLetters } from '../sql/link-queries.ts';
import { createStore, type Store } from '../sql/store.ts';
import { StoreError, StoreUnavailable } from '../store-errors.ts';
import { connect, createPool, onConnection, type PostgresAddress } from './connection-pool.ts';
import { migrate, withPool } from './migrate.ts';
import { reasonOf } from './postgres-errors.ts';
import { servingProcesses } from './serving-processes.ts';

export async function openPostgresStore(
  address: PostgresAddress,
  now: number,
  clock: Clock | null,
  foldsCase: boolean,
): Promise<Store> {
  try {
    await withPool(address.url, async (pool) => {
      await migrate(pool, now);
      if (foldsCase) await onConnection(pool, refuseCapitalLetters);
    });
  } catch (error) {
    throw error instanceof StoreError ? error : unusable(error);
  }
  const database = connect(address, clock, foldsCase);
  return {
    ...createStore(database, addClicks(database)),
    servingProcesses: servingProcesses(database),
    close: database.close,
  };
}

/**
 * True if the database contains Terse's tables.
 *
 * @throws StoreError if the database cannot be opened
 */
export async function hasPostgresTables(url: string): Promise<boolean> {
  const pool = createPool(url, { max: 1 });
  const query = "SELECT to_regclass('migrations') IS NOT NULL AS found";
  try {
    return (await pool.query<{ found: boolean }>(query)).rows[0]?.found === true;
  } catch (error) {
    throw unusable(error);
  } finally {
    await pool.end();
  }
}

/**
 * Returns a function that stores the number of a batch and its clicks in one statement. If the batch is already stored,
 * the statement stores nothing. If another connection is still storing the batch, the statement waits for it.
 */
function addClicks({ write }: Database): AddClicks {
  return async ({ process, number, clicks }) => {
    const last = clicks.at(-1);
    if (!last) return;
    const column = (field: keyof WaitingClick) => clicks.map((click) => click[field]);
    await write(
      sql`WITH batch AS (
        INSERT INTO click_batches (process, number, written_at) VALUES (${process}, ${number}, ${last.at})
        ON CONFLICT (process) DO UPDATE SET number = excluded.number, written_at = excluded.written_at
          WHERE click_batches.number < excluded.number
        RETURNING number
      ) INSERT INTO waiting_clicks (link_id, at, visitor, bot, browser, system, device, referrer, country)
      SELECT clicks.* FROM batch, unnest(${column('link')}::bigint[], ${column('at')}::bigint[],
        ${column('visitor')}::bigint[], ${clicks.map(({ bot }) => Number(bot))}::bigint[], ${column('browser')}::text[],
        ${column('system')}::text[], ${column('device')}::text[], ${column('referrer')}::text[],
        ${column('country')}::text[]) AS clicks`,
    );
  };
}

/**
 * Creates the error that is thrown if a database cannot be opened. The message omits the database URL, because it may
 * contain a password.
 */
function unusable(error: unknown): StoreError {
  const cause = (error instanceof StoreUnavailable ? error.cause : error) as Error;
  return new StoreError(`The PostgreSQL database cannot be opened: ${reasonOf(cause)}.`, { cause });
}
