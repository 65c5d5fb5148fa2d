import type { Clock } from '../domain/clock-and-random.ts';
import type { Deadlines } from './postgres/connection-pool.ts';
import { hasPostgresTables, openPostgresStore } from './postgres/postgres-store.ts';
import type { Store } from './sql/store.ts';
import { hasSqliteTables } from './sqlite/backup-copy.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';

export type DatabaseAddress =
  | { engine: 'sqlite'; path: string }
  | {
      engine: 'postgres';
      /** PostgreSQL URL: `postgres://…`. For a Unix socket, `?host=/path` specifies the folder of the socket. */
      url: string;
      connections: number;
      /** Deadlines of database operations. Tests on slow machines use longer deadlines. */
      deadlines?: Deadlines;
    };

/**
 * Opens a database and applies missing migrations.
 *
 * @param clock replaces the database's clock in tests
 * @param foldsCase true if lookups ignore the case of short codes
 * @throws StoreError with a message for the operator, for example if some short codes differ only in case
 */
export async function openStore(
  address: DatabaseAddress,
  now: number,
  clock: Clock | null = null,
  foldsCase = false,
): Promise<Store> {
  if (address.engine === 'postgres') return openPostgresStore(address, now, clock, foldsCase);
  // SQLite has no server, so the clock of this computer is used as the database's clock.
  return openSqliteStore(address.path, now, clock ?? Date.now, foldsCase);
}

/** True if the database contains any of Terse's tables. Creates no files or tables. */
export async function hasTables(address: DatabaseAddress): Promise<boolean> {
  return address.engine === 'postgres' ? hasPostgresTables(address.url) : hasSqliteTables(address.path);
}
