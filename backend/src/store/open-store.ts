import { resolve } from 'node:path';
import type { Clock } from '../domain/clock-and-random.ts';
import type { PostgresAddress } from './postgres/connection-pool.ts';
import { hasPostgresTables, openPostgresStore } from './postgres/postgres-store.ts';
import type { Store } from './sql/store.ts';
import { hasSqliteTables } from './sqlite/backup-copy.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import { StoreError } from './store-errors.ts';

export type DatabaseAddress = { engine: 'sqlite'; path: string } | ({ engine: 'postgres' } & PostgresAddress);

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

/**
 * Prints the address of the database that a command uses. Prints to stderr, because stdout is reserved for the
 * command's result.
 */
export function printDatabase(address: DatabaseAddress): void {
  process.stderr.write(`Database: ${nameOf(address)}\n`);
}

/**
 * Opens a database only if it exists. A command with a mistyped address would otherwise create an empty database and
 * appear to succeed.
 *
 * @throws StoreError if the database does not exist or is empty
 */
export async function openExisting(address: DatabaseAddress, now: number): Promise<Store> {
  printDatabase(address);
  if (await hasTables(address)) return openStore(address, now);
  throw new StoreError(
    `There is no database of Terse at ${nameOf(address)}. If your database is elsewhere, set TERSE_DATABASE to the same value as for the service. To create a new database, run "serve".`,
  );
}

export function nameOf(address: DatabaseAddress): string {
  return address.engine === 'sqlite' ? resolve(address.path) : withoutPassword(address.url);
}

/**
 * Removes the password from a database URL. libpq accepts a password before the `@` or in the query parameter
 * `password`. If the URL contains several `@` characters, the text up to the last one counts as part of the password.
 */
export function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):.*@/, '$1@').replace(/([?&])password=[^&]*&?/g, '$1');
}
