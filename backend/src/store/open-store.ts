import type { Clock } from '../domain/clock-and-random.ts';
import type { ClickStore } from './interface/click-store.ts';
import type { Store } from './interface/store.ts';
import { createWriteLock, type WriteLock } from './interface/write-lock.ts';
import { hasPostgresTables, openPostgresClicks, openPostgresStore } from './postgres/postgres-store.ts';
import type { Deadlines } from './postgres/retries-and-deadlines.ts';
import { hasSqliteTables } from './sqlite/backup-copy.ts';
import { openSqliteClicks, openSqliteStore } from './sqlite/sqlite-store.ts';

/** Address of the database. */
export type DatabaseAddress =
  | { engine: 'sqlite'; path: string }
  | {
      engine: 'postgres';
      /** `postgres://…`. The folder of a unix socket is passed as `?host=/path`. */
      url: string;
      /** Maximum number of connections of this process. */
      connections: number;
      /** Tests on slow machines raise these. */
      deadlines?: Deadlines;
    };

/**
 * Opens the store and migrates its schema.
 *
 * @param clock replaces the database's clock in tests
 * @throws StoreError with a message for the operator
 */
export async function openStore(address: DatabaseAddress, now: number, clock: Clock | null = null): Promise<Store> {
  if (address.engine === 'postgres') return openPostgresStore(address, now, clock);
  // A SQLite file is on this machine, so the process's clock is the database's clock.
  return openSqliteStore(address.path, now, clock ?? Date.now);
}

/** True if the database has the tables of Terse or is the target of an unfinished move. Creates nothing. */
export async function hasTables(address: DatabaseAddress): Promise<boolean> {
  return address.engine === 'postgres' ? hasPostgresTables(address.url) : hasSqliteTables(address.path);
}

/**
 * Opens the click counts of an open database, for another thread.
 *
 * @param writeLock lock to use, required if `Store.writeLock` is set
 */
export async function openClickStore(
  address: DatabaseAddress,
  writeLock: WriteLock | null,
): Promise<{ clicks: ClickStore; close(): Promise<void> }> {
  if (address.engine === 'postgres') return openPostgresClicks(address);
  return openSqliteClicks(address.path, writeLock ?? createWriteLock());
}
