import { StoreError } from '../store-errors.ts';
import { baseSchema } from './base-schema.ts';
import { refuseMovedAway } from './refuse-moved-database.ts';
import type { Migration } from './schema-dialect.ts';

export const MIGRATIONS: readonly Migration[] = [baseSchema];

/** A migration that was applied to a database. See `Migration` for the meaning of `oldest`. */
export interface AppliedStep {
  id: number;
  oldest: number | null;
}

export function newestStep(): number {
  return MIGRATIONS.at(-1)?.id ?? 0;
}

/**
 * Returns the migrations that have not been applied to a database yet.
 *
 * @throws StoreError if the database is of version 0.2.0 or earlier, was migrated by a newer, incompatible version, or
 * was moved to another database
 */
export function missingMigrations(
  applied: readonly AppliedStep[],
  migrations: readonly Migration[] = MIGRATIONS,
): readonly Migration[] {
  refuseMovedAway(applied);
  refuseUnpublishedVersion(applied);
  const newest = migrations.at(-1)?.id ?? 0;
  const last = newestOf(applied);
  if (applied.some(({ id, oldest }) => id > newest && (oldest === null || oldest > newest))) {
    throw new StoreError(
      `The database is at version ${last}, newer than this program supports (version ${newest}). Run a newer version of Terse.`,
    );
  }
  return migrations.filter(({ id }) => id > last);
}

export function newestOf(applied: readonly AppliedStep[]): number {
  return Math.max(0, ...applied.map(({ id }) => id));
}

/** Throws a StoreError if the database has the tables of the versions before the base schema. */
export function refuseUnpublishedVersion(applied: readonly AppliedStep[]): void {
  if (!applied.some(({ id }) => id > 0 && id < baseSchema.id)) return;
  throw new StoreError(
    'This database was created by Terse 0.2.0 or earlier: start that version again, export the links of each account as CSV on its page "Links", then start this version with a new database and import the files on its page "Import".',
  );
}
