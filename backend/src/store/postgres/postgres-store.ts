import sql, { raw, type Sql } from 'sql-template-tag';
import type { Clock } from '../../domain/clock-and-random.ts';
import type { ClickStore } from '../interface/click-store.ts';
import { type Store, StoreError, StoreUnavailable } from '../interface/store.ts';
import { UNFINISHED_MOVE } from '../migrations/refuse-moved-database.ts';
import { accountStore, quotaStore, sessionStore } from '../sql/account-queries.ts';
import { importStore } from '../sql/import-queries.ts';
import { keyStore } from '../sql/key-queries.ts';
import { linkStore } from '../sql/link-queries.ts';
import { monthStore } from '../sql/monthly-clicks.ts';
import type { Run, SharedDatabase } from '../sql/sql-runner.ts';
import { keyFinder, linkResolver } from './batched-lookups.ts';
import { NOW, quotaCharger } from './charge-limits.ts';
import { checkPooler } from './check-pooler.ts';
import { clickStore } from './click-counts.ts';
import {
  type Ask,
  connect,
  createPool,
  type Database,
  type PostgresAddress,
  requestTimeouts,
} from './connection-pool.ts';
import { createRequestStore } from './group-create-requests.ts';
import { linkMaker } from './insert-links.ts';
import { migrate, prepareCaseFolding } from './migrate.ts';
import { reasonOf } from './postgres-errors.ts';
import { DEADLINES } from './retries-and-deadlines.ts';
import { servingProcesses } from './serving-processes.ts';

/**
 * Returns SQL operations that run statements without preparing them. PostgreSQL then plans each statement for its
 * actual values, which makes rare queries faster.
 */
export function sharedDatabase(database: Database, clock: Clock | null, foldsCase: boolean): SharedDatabase {
  const makeLinks = linkMaker(database, foldsCase);
  const charge = quotaCharger(database, clock);
  return {
    read: runBy(database.read),
    write: runBy(database.write),
    transaction: (work) =>
      database.transaction((ask) =>
        work({
          run: runBy(ask),
          makeLinks: (links) => makeLinks(ask, links),
          charge: (...charged) => charge(ask, ...charged),
        }),
      ),
    // Locks rows with FOR NO KEY UPDATE. Unlike FOR UPDATE, this lock lets other transactions insert rows that
    // reference the locked rows.
    rowLock: raw('FOR NO KEY UPDATE'),
    foldsCase,
  };
}

function runBy(ask: Ask): Run {
  return <Row>({ text, values }: Sql) => ask<Row>({ name: '', text }, ...values);
}

const PROBE_TIMEOUT = 3000;

export async function openPostgresStore(
  address: PostgresAddress,
  now: number,
  clock: Clock | null,
  foldsCase: boolean,
): Promise<Store> {
  try {
    await migrate(address.url, now);
    await probe(address.url);
    if (foldsCase) await prepareCaseFolding(address.url, now);
  } catch (error) {
    throw error instanceof StoreError ? error : unusable(error);
  }
  const database = connect(address);
  const shared = sharedDatabase(database, clock, foldsCase);
  const readClock = async () => {
    const [row] = await shared.read<{ now: number }>(sql`SELECT ${raw(NOW)}`);
    return (row as { now: number }).now;
  };
  return {
    accounts: accountStore(shared),
    sessions: sessionStore(shared),
    imports: importStore(shared),
    keys: { ...keyStore(shared), find: keyFinder(database) },
    links: { ...linkStore(shared), resolve: linkResolver(database, foldsCase) },
    createRequests: createRequestStore(database, clock, foldsCase),
    quotas: quotaStore(shared),
    clicks: clickStore(database),
    months: monthStore(shared, clock ? async () => clock() : readClock),
    servingProcesses: servingProcesses(database),
    writeLock: null,
    close: database.close,
  };
}

/**
 * True if the database contains Terse's tables. Also true if a move to the database was started but not finished.
 *
 * @throws StoreError if the database cannot be opened
 */
export async function hasPostgresTables(url: string): Promise<boolean> {
  const pool = createPool(url, { max: 1 });
  const query = 'SELECT coalesce(to_regclass($1), to_regclass($2)) IS NOT NULL AS found';
  try {
    return (await pool.query<{ found: boolean }>(query, ['migrations', UNFINISHED_MOVE])).rows[0]?.found === true;
  } catch (error) {
    throw unusable(error);
  } finally {
    await pool.end();
  }
}

async function probe(url: string): Promise<void> {
  const pool = createPool(url, { ...requestTimeouts(DEADLINES), query_timeout: PROBE_TIMEOUT, max: 4 });
  await checkPooler(pool).finally(() => pool.end());
}

/** Opens a separate connection to an existing database, so that another thread can store and read click counts. */
export function openPostgresClicks(address: PostgresAddress): { clicks: ClickStore; close(): Promise<void> } {
  const database = connect({ ...address, connections: 1 });
  return { clicks: clickStore(database), close: database.close };
}

/**
 * Creates the error that is thrown if a database cannot be opened. The message omits the database URL, because it may
 * contain a password.
 */
function unusable(error: unknown): StoreError {
  const cause = (error instanceof StoreUnavailable ? error.cause : error) as Error;
  return new StoreError(`The PostgreSQL database cannot be opened: ${reasonOf(cause)}.`, { cause });
}
