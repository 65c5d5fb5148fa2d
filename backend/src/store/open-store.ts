import type { Clock } from '../domain/clock-and-random.ts';
import type { ClickStore } from './interface/click-store.ts';
import type { Store } from './interface/store.ts';
import { createWriteLock, type WriteLock } from './interface/write-lock.ts';
import { hasPostgresTables, openPostgresClicks, openPostgresStore } from './postgres/postgres-store.ts';
import type { Deadlines } from './postgres/retries-and-deadlines.ts';
import { hasSqliteTables } from './sqlite/backup-copy.ts';
import { openSqliteClicks, openSqliteStore } from './sqlite/sqlite-store.ts';

/** Where the data is. */
export type DatabaseAddress =
  | { engine: 'sqlite'; path: string }
  | {
      engine: 'postgres';
      /** `postgres://…`; a unix socket's folder is given as `?host=/path`. */
      url: string;
      /** The most connections this process may hold. */
      connections: number;
      /** For tests, on machines that stand still for longer than a service may. */
      deadlines?: Deadlines;
    };

/**
 * Opens the store and brings its schema up to date.
 *
 * @param clock what submissions are dated by instead of the database's own clock, for tests that set time
 * @throws StoreError with a sentence for the operator
 */
export async function openStore(address: DatabaseAddress, now: number, clock: Clock | null = null): Promise<Store> {
  if (address.engine === 'postgres') return openPostgresStore(address, now, clock);
  // The file is this machine's, and so is its clock.
  return openSqliteStore(address.path, now, clock ?? Date.now);
}

/** True if a service has created its tables in a database, or a move to it has begun. Creates nothing. */
export async function hasTables(address: DatabaseAddress): Promise<boolean> {
  return address.engine === 'postgres' ? hasPostgresTables(address.url) : hasSqliteTables(address.path);
}

/**
 * Opens the clicks of a store that is open already, for a thread of its own.
 *
 * @param writeLock how the thread gets the lock, where `Store.writeLock` says that it needs it
 */
export async function openClickStore(
  address: DatabaseAddress,
  writeLock: WriteLock | null,
): Promise<{ clicks: ClickStore; close(): Promise<void> }> {
  if (address.engine === 'postgres') return openPostgresClicks(address);
  return openSqliteClicks(address.path, writeLock ?? createWriteLock());
}
