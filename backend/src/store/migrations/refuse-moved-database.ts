import { StoreError } from '../interface/store.ts';

/**
 * Id of the row in `migrations` that marks a moved database. No version knows this id, so every version refuses to
 * open the database.
 */
export const MOVED_AWAY = 1_000_000;

/** Id of that row after the move was undone. Negative, so that no version treats it as a migration. */
export const MOVE_UNDONE = -2;

/**
 * Deletes the visitor hashes. They may live for one day only, and nothing deletes them later in a database that is
 * not served. If the move is undone, visitors of that day are counted again.
 */
export const FORGET_VISITORS = 'DELETE FROM visitors; DELETE FROM visitor_days';

/** Name prefix of the triggers that refuse writes, from processes that had opened the database before the move. */
export const MOVED_AWAY_TRIGGER = 'moved_away';

const SENTENCE =
  'This database was moved to another one and is now read-only. Set TERSE_DATABASE to the new one. To use this one again anyway, run "move --undo" with its address.';

export const movedAway = (): StoreError => new StoreError(SENTENCE);

/** The message as an SQL literal. */
export const MOVED_AWAY_TEXT = `'${SENTENCE}'`;

/**
 * Refuses a database that was moved away.
 *
 * @throws StoreError if it was
 */
export function refuseMovedAway(applied: readonly { id: number }[]): void {
  if (applied.some(({ id }) => id === MOVED_AWAY)) throw movedAway();
}

/** Table that exists in the target until a move is finished. */
export const UNFINISHED_MOVE = 'unfinished_move';

/** Returns the error for opening the target of an unfinished move. */
export function unfinishedMove(): StoreError {
  return new StoreError(
    'A move to this database is not finished. Run the same "move" command again to continue. To start over, empty this database first.',
  );
}
