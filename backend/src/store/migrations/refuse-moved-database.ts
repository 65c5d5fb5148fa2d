import { StoreError } from '../interface/store.ts';

/**
 * The step that a database notes when all that is in it was moved to another one. No program knows it, and none can live with
 * it, so none opens the database, of whatever version it is.
 */
export const MOVED_AWAY = 1_000_000;

/** What that note becomes where the move is undone: no step either, nor anything that keeps a program from opening it. */
export const MOVE_UNDONE = -2;

/**
 * What tells visitors apart lives for a day. Nobody serves a database that was moved away, and so nobody would forget it there in
 * time. If the move is undone, who came that day counts as another visitor.
 */
export const FORGET_VISITORS = 'DELETE FROM visitors; DELETE FROM visitor_days';

/** What keeps programs from writing that had opened the database before, such as one that was suspended meanwhile. */
export const MOVED_AWAY_TRIGGER = 'moved_away';

const SENTENCE =
  'This database was moved to another one, and is not written any more. Set TERSE_DATABASE to the new one. To use the old one again all the same, run "move --undo" with its address.';

export const movedAway = (): StoreError => new StoreError(SENTENCE);

/** The same as a literal of SQL. */
export const MOVED_AWAY_TEXT = `'${SENTENCE}'`;

/** @throws StoreError where a database was moved away */
export function refuseMovedAway(applied: readonly { id: number }[]): void {
  if (applied.some(({ id }) => id === MOVED_AWAY)) throw movedAway();
}

/** A table that is there while a database is being moved to, and no longer. */
export const UNFINISHED_MOVE = 'unfinished_move';

/** What is said to everybody who would open such a database for anything but the move. */
export function unfinishedMove(): StoreError {
  return new StoreError(
    'A move to this database is not finished. Run the same "move" again: it goes on where it was. To begin anew, empty this database first.',
  );
}
