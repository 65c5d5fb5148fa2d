import { resolve } from 'node:path';
import { type Store, StoreError } from './interface/store.ts';
import { type DatabaseAddress, hasTables, openStore } from './open-store.ts';

/** Names the database that a command uses. On stderr, so that stdout has only the command's result. */
export function nameDatabase(address: DatabaseAddress): void {
  process.stderr.write(`Database: ${nameOf(address)}\n`);
}

/**
 * Opens a database that a service has created. A mistyped address would otherwise get an empty database, and the command
 * would seem to succeed.
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

/** libpq accepts a password in either part of an address. Removes too much rather than too little. */
export function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):.*@/, '$1@').replace(/([?&])password=[^&]*&?/g, '$1');
}
