import { StoreError } from '../store-errors.ts';
import { baseSchema } from './base-schema.ts';
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
  if (isMovedAway(applied)) throw movedAway();
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

/**
 * Id of the row in the table `migrations` that marks a database as moved to another database. The id is higher than
 * the id of any migration, so every version of Terse refuses to open the moved database.
 */
export const MOVED_AWAY = 1_000_000;

/** Id of the row in the table `migrations` of the database to which the data was moved. */
export const MOVED_HERE = -1;

/**
 * SQL statements that delete the visitor hashes of a moved database, because no server would delete them later. If
 * the move is undone, visitors who return on that day count twice.
 */
export const FORGET_VISITORS = 'DELETE FROM visitors; DELETE FROM visitor_days';

/**
 * Prefix for the names of database triggers that refuse writes to a moved database. The triggers also stop writes
 * from processes that opened the database before the move.
 */
export const MOVED_AWAY_TRIGGER = 'moved_away';

const SENTENCE =
  'This database was moved to another one and is now read-only. Set TERSE_DATABASE to the new one. To use this one again anyway, run "move --undo" with its address.';

export const movedAway = (): StoreError => new StoreError(SENTENCE);

export const MOVED_AWAY_TEXT = `'${SENTENCE}'`;

export function isMovedAway(applied: readonly { id: number }[]): boolean {
  return applied.some(({ id }) => id === MOVED_AWAY);
}

/** Name of a table that marks a database as the target of a move. The table exists only until the move is finished. */
export const UNFINISHED_MOVE = 'unfinished_move';

export function unfinishedMove(): StoreError {
  return new StoreError('A move to this database is not finished. Run the same "move" command again.');
}
