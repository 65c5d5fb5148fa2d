import { StoreError } from '../store/store.ts';
import { readKey, writeKey } from './rows.ts';
import type { Progress } from './sides.ts';

export function writeProgress({ table, after }: Progress): string {
  return `${table}\n${after === null ? '' : writeKey(after)}`;
}

export function readProgress(text: string | null): Progress | null {
  const [table = '', key = ''] = (text ?? '').split(/\n(.*)/s);
  return table === '' ? null : { table, after: key === '' ? null : readKey(key) };
}

/** Says why a database is not taken as the target of a move. */
export function notEmpty(table: string): StoreError {
  return new StoreError(
    `The database to move to is not empty: it has a table ${table}. Name one without tables, or drop what is in there.`,
  );
}

/** The same for one that holds what is to be moved already. */
export class MovedBefore extends StoreError {
  constructor() {
    super('This database was moved to that one before, to its end. Nothing was done.');
  }
}

/** The same for one that holds it as it was at another time. */
export function otherState(): StoreError {
  return new StoreError(
    'The database to move to is not empty: it holds a copy of this one, and they differ. It was restored from a backup, or one of them was served since. Nothing was done.',
  );
}

/** The same for one that another move is under way to. */
export function otherMove(): StoreError {
  return new StoreError(
    'A move from another database to this one was begun and not finished. Go on with that one, or empty this database.',
  );
}

/** Two commands at once, of which one was first. */
export function rivalMove(): StoreError {
  return new StoreError('Another process moves to this database just now. Let that one go on.');
}
