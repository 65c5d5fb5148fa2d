import { resolve } from 'node:path';
import { type Store, StoreError } from './interface/store.ts';
import { type DatabaseAddress, hasTables, openStore } from './open-store.ts';

/** Prints the database that a command uses. Prints it to stderr, because stdout is for the command's result. */
export function nameDatabase(address: DatabaseAddress): void {
  process.stderr.write(`Database: ${nameOf(address)}\n`);
}

/**
 * Opens a database only if it exists. Otherwise, a command with a mistyped address would create an empty database and
 * appear to succeed.
 *
 * @throws StoreError if the database does not exist or is empty
 */
export async function openExisting(address: DatabaseAddress, now: number): Promise<Store> {
  nameDatabase(address);
  if (await hasTables(address)) return openStore(address, now);
  throw new StoreError(
    `There is no database of Terse at ${nameOf(address)}. "serve" creates it. If yours is elsewhere, set TERSE_DATABASE as for the service.`,
  );
}

export function nameOf(address: DatabaseAddress): string {
  return address.engine === 'sqlite' ? resolve(address.path) : withoutPassword(address.url);
}

/**
 * Removes the password from a database URL. libpq accepts passwords before the `@` and as a parameter. If the URL is
 * ambiguous, removes more text than the password.
 */
export function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):.*@/, '$1@').replace(/([?&])password=[^&]*&?/g, '$1');
}
