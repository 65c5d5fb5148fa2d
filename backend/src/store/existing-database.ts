import { resolve } from 'node:path';
import { type DatabaseAddress, hasTables, openStore } from './open-store.ts';
import type { Store } from './sql/store.ts';
import { StoreError } from './store-errors.ts';

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
