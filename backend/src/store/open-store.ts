import { resolve } from 'node:path';
import type { Clock } from '../domain/clock-and-random.ts';
import { connect, type PostgresAddress } from './postgres/connection-pool.ts';
import { hasPostgresTables, preparePostgres, servingProcesses } from './postgres/migrate.ts';
import { accountStore, sessionStore } from './sql/account-queries.ts';
import { clickStore } from './sql/click-queries.ts';
import { createRequestStore, quotaStore } from './sql/create-request.ts';
import { importStore, uploadStore } from './sql/import-queries.ts';
import { keyStore } from './sql/key-queries.ts';
import { linkStore } from './sql/link-queries.ts';
import { hasSqliteTables } from './sqlite/database-file.ts';
import { openSqliteDatabase } from './sqlite/sqlite-database.ts';
import { StoreError } from './store-errors.ts';

export type DatabaseAddress = { engine: 'sqlite'; path: string } | ({ engine: 'postgres' } & PostgresAddress);

/**
 * Access to the database, SQLite or PostgreSQL. The promise of a write resolves when the data is on disk. Times are in
 * milliseconds since January 1, 1970.
 */
export type Store = Awaited<ReturnType<typeof openStore>>;

/**
 * Opens a database and applies missing migrations.
 *
 * @param clock replaces the database's clock in tests
 * @param foldsCase true to refuse a database that has short codes with capital letters
 * @throws StoreError with a message for the operator
 */
export async function openStore(address: DatabaseAddress, now: number, clock: Clock | null = null, foldsCase = false) {
  const isPostgres = address.engine === 'postgres';
  if (isPostgres) await preparePostgres(address.url, now, foldsCase);
  const database = isPostgres
    ? connect(address, clock)
    : // SQLite has no server, so the clock of this computer is used as the database's clock.
      await openSqliteDatabase(address.path, now, clock ?? Date.now, foldsCase);
  return {
    accounts: accountStore(database),
    sessions: sessionStore(database),
    imports: importStore(database),
    uploads: uploadStore(database),
    keys: keyStore(database),
    links: linkStore(database),
    createRequests: createRequestStore(database),
    quotas: quotaStore(database),
    clicks: clickStore(database),
    /** Null if only one process can use the database. */
    servingProcesses: isPostgres ? servingProcesses(database) : null,
    close: database.close,
  };
}

/** True if the database contains Terse's tables. Creates no files or tables. */
export async function hasTables(address: DatabaseAddress): Promise<boolean> {
  return address.engine === 'postgres' ? hasPostgresTables(address.url) : hasSqliteTables(address.path);
}

/** Prints the address of the database that a command uses to stderr, because stdout is for the command's result. */
export function printDatabase(address: DatabaseAddress): void {
  process.stderr.write(`Database: ${nameOf(address)}\n`);
}

/**
 * Opens a database only if it exists. A command with a mistyped address would otherwise create an empty database.
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
