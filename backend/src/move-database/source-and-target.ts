import { StoreError } from '../store/interface/store.ts';
import { type Row, readKey, type Table, writeKey } from './tables-and-rows.ts';

/** A database whose rows can be read, of either engine. */
export interface Readable {
  count(table: Table): Promise<number>;
  /** Yields the rows after the key `after`, sorted by primary key. Texts are sorted by their bytes. */
  rows(table: Table, after: Row | null): AsyncGenerator<Row>;
  /** Returns the last number that an auto-numbered table has used, or 0 if it has used none. */
  lastNumber(table: Table): Promise<number>;
}

/** The database to move. No other process can write to it until it is closed. */
export interface Source extends Readable {
  /** Random id of the database. */
  identity: string;
  /** True if this address leads to the same database, even under another host name. */
  isAt(url: string): Promise<boolean>;
  /** True if the database was moved away before and that move was undone. */
  wasUndone(): Promise<boolean>;
  /**
   * Marks the database as moved away and deletes its visitor hashes. After that, no process can open it or write to
   * it. Resolves when the mark is on disk.
   */
  leave(tables: readonly Table[], now: number): Promise<void>;
  close(): Promise<void>;
}

/** Progress of a move: the current table and the key of the last copied row. */
export interface Progress {
  table: string;
  /** Null if no row of the table was copied. */
  after: Row | null;
}

/** A database that is compared with the source. */
export interface Copy extends Readable {
  /** Returns the row with the values that this engine can store. Returns the same array if nothing had to change. */
  storable(table: Table, row: Row): Row;
  close(): Promise<void>;
}

/** The database that receives the rows. Nothing but the same move can open it until `finish` is called. */
export interface Target extends Copy {
  /** Null if nothing was copied yet. */
  progress(): Promise<Progress | null>;
  /** Writes rows and the progress in one transaction. */
  append(table: Table, rows: Row[], to: Progress): Promise<void>;
  /** Sets the next number of each auto-numbered table and makes the database usable. Resolves when this is on disk. */
  finish(numbers: ReadonlyMap<Table, number>): Promise<void>;
  /** Updates the statistics for the query planner. This can take a while, and queries are slower without it. */
  tidy(): Promise<void>;
}

export function writeProgress({ table, after }: Progress): string {
  return `${table}\n${after === null ? '' : writeKey(after)}`;
}

export function readProgress(text: string | null): Progress | null {
  const [table = '', key = ''] = (text ?? '').split(/\n(.*)/s);
  return table === '' ? null : { table, after: key === '' ? null : readKey(key) };
}

/** Returns the error for a target that contains tables. */
export function notEmpty(table: string): StoreError {
  return new StoreError(
    `The database to move to is not empty: it has a table ${table}. Use a database without tables, or drop its tables.`,
  );
}

/** Error for a target to which this source was already moved completely. */
export class MovedBefore extends StoreError {
  constructor() {
    super('This database was already moved to that one completely. Nothing was changed.');
  }
}

/** Returns the error for a target that holds a different state of the source. */
export function otherState(): StoreError {
  return new StoreError(
    'The database to move to is not empty: it contains a copy of the other one, and they differ. It was restored from a backup, or one of them was served since. Nothing was changed.',
  );
}

/** Returns the error for a target of an unfinished move from another source. */
export function otherMove(): StoreError {
  return new StoreError(
    'A move from another database to this one is not finished. Continue that move, or empty this database.',
  );
}

/** Returns the error for a target to which another process is moving a database now. */
export function rivalMove(): StoreError {
  return new StoreError('Another process is moving a database to this one now. Wait until it is finished.');
}
