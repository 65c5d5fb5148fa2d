import sql, { raw } from 'sql-template-tag';
import type { Clock } from '../../domain/clock.ts';
import type { ClickStore } from '../click-store.ts';
import { accountStore } from '../shared/accounts.ts';
import { importStore } from '../shared/imports.ts';
import { keyStore } from '../shared/keys.ts';
import { linkStore } from '../shared/links.ts';
import { monthStore } from '../shared/months.ts';
import { sessionStore } from '../shared/sessions.ts';
import { type Store, StoreError, StoreUnavailable } from '../store.ts';
import { budgetStore } from './budgets.ts';
import { NOW } from './charges.ts';
import { clickPartitions } from './click-partitions.ts';
import { clickStore } from './clicks.ts';
import { connect, createPool, type PostgresAddress, requestTimeouts } from './database.ts';
import { DEADLINES } from './deadlines.ts';
import { reasonOf } from './faults.ts';
import { keyFinder } from './find-keys.ts';
import { migrate } from './migrate.ts';
import { checkPooler } from './pooler.ts';
import { linkResolver } from './resolve.ts';
import { servingProcesses } from './serving-processes.ts';
import { sharedDatabase } from './shared.ts';
import { submissionStore } from './submissions.ts';

/** How long one statement of the probe may take, in milliseconds. */
const PROBE_TIMEOUT = 3000;

/** Everything in one PostgreSQL database, which any number of processes share. */
export async function openPostgresStore(address: PostgresAddress, now: number, clock: Clock | null): Promise<Store> {
  try {
    await migrate(address.url, now);
    await probe(address.url);
  } catch (error) {
    throw error instanceof StoreError ? error : unusable(error);
  }
  const database = connect(address);
  const shared = sharedDatabase(database);
  const readClock = async () => {
    const [row] = await shared.read<{ now: number }>(sql`SELECT ${raw(NOW)}`);
    return (row as { now: number }).now;
  };
  return {
    accounts: accountStore(shared),
    sessions: sessionStore(shared),
    imports: importStore(shared),
    keys: { ...keyStore(shared), find: keyFinder(database) },
    links: { ...linkStore(shared), resolve: linkResolver(database) },
    submissions: submissionStore(database, clock),
    budgets: budgetStore(database, clock),
    clicks: clickStore(database),
    months: monthStore(shared, clock ? async () => clock() : readClock),
    partitions: clickPartitions(database),
    servingProcesses: servingProcesses(database),
    writeLock: null,
    close: database.close,
  };
}

/** Makes sure that connections as the store makes them will do. */
async function probe(url: string): Promise<void> {
  const pool = createPool(url, { ...requestTimeouts(DEADLINES), query_timeout: PROBE_TIMEOUT, max: 4 });
  await checkPooler(pool).finally(() => pool.end());
}

/** The clicks of a database that is open, for another thread, over one connection. */
export function openPostgresClicks(address: PostgresAddress): { clicks: ClickStore; close(): Promise<void> } {
  const database = connect({ ...address, connections: 1 });
  return { clicks: clickStore(database), close: database.close };
}

/** Says what is wrong without the address, which may hold a password. */
function unusable(error: unknown): StoreError {
  const cause = (error instanceof StoreUnavailable ? error.cause : error) as Error;
  return new StoreError(`The PostgreSQL database cannot be opened: ${reasonOf(cause)}.`, { cause });
}
