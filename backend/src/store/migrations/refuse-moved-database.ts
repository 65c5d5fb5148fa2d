import { StoreError } from '../store-errors.ts';

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

/** Throws a StoreError if the data has been moved to another database. */
export function refuseMovedAway(applied: readonly { id: number }[]): void {
  if (isMovedAway(applied)) throw movedAway();
}

/** Name of a table that marks a database as the target of a move. The table exists only until the move is finished. */
export const UNFINISHED_MOVE = 'unfinished_move';

export function unfinishedMove(): StoreError {
  return new StoreError('A move to this database is not finished. Run the same "move" command again.');
}
