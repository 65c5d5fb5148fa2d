import { StoreError } from '../interface/store.ts';

/**
 * Id of the row in the table `migrations` that marks a database as moved to another one. The id is higher than that
 * of any migration, so every version refuses to open the database.
 */
export const MOVED_AWAY = 1_000_000;

/**
 * Id of the marking row after a move was undone. The id is negative, so no version mistakes the row for a migration.
 */
export const MOVE_UNDONE = -2;

/**
 * Deletes the visitor hashes of a moved database. They may be stored for only one day, and without a running server
 * nothing else would delete them. If the move is undone, visitors of that day are counted twice.
 */
export const FORGET_VISITORS = 'DELETE FROM visitors; DELETE FROM visitor_days';

/**
 * Name prefix of the database triggers that refuse writes to a moved database. They stop processes that opened the
 * database before the move.
 */
export const MOVED_AWAY_TRIGGER = 'moved_away';

const SENTENCE =
  'This database was moved to another one and is now read-only. Set TERSE_DATABASE to the new one. To use this one again anyway, run "move --undo" with its address.';

export const movedAway = (): StoreError => new StoreError(SENTENCE);

/** Message about a moved database, as an SQL literal. */
export const MOVED_AWAY_TEXT = `'${SENTENCE}'`;

/**
 * Refuses a database whose data was moved to another database.
 *
 * @throws StoreError if the database was moved
 */
export function refuseMovedAway(applied: readonly { id: number }[]): void {
  if (applied.some(({ id }) => id === MOVED_AWAY)) throw movedAway();
}

/** Name of a table that exists in a new database while data is being moved there. */
export const UNFINISHED_MOVE = 'unfinished_move';

/** Returns the error for opening a database while data is still being moved there. */
export function unfinishedMove(): StoreError {
  return new StoreError(
    'A move to this database is not finished. Run the same "move" command again to continue. To start over, empty this database first.',
  );
}
