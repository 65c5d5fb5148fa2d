import { StoreError } from './store.ts';

/** A table that is there while a database is being moved to, and no longer. */
export const UNFINISHED_MOVE = 'unfinished_move';

/** What is said to everybody who would open such a database for anything but the move. */
export function unfinishedMove(): StoreError {
  return new StoreError(
    'A move to this database is not finished. Run the same "move" again: it goes on where it was. To begin anew, empty this database first.',
  );
}
