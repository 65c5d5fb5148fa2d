import { StoreError } from '../store/store-errors.ts';
import { type Row, readKey, type Table, writeKey } from './tables-and-rows.ts';

/** SQLite or PostgreSQL database whose rows can be read. */
export interface Readable {
  count(table: Table): Promise<number>;
  /** Yields all rows after the primary key `after`, sorted by primary key. Text values are sorted by their bytes. */
  rows(table: Table, after: Row | null): AsyncGenerator<Row>;
  /** Returns the last auto-increment value of a table, or 0 if no value has been used yet. */
  lastNumber(table: Table): Promise<number>;
  /** True if a move to this database was started but not finished. */
  isUnfinished(): Promise<boolean>;
}

/** Database from which the data is moved. No other process can write to the database until `close` is called. */
export interface Source extends Readable {
  identity: string;
  /** True if the address leads to this database, even with a different host name. */
  isAt(url: string): Promise<boolean>;
  /** True if this database was moved earlier and the move was undone. */
  wasUndone(): Promise<boolean>;
  /**
   * Marks the database as moved and deletes its visitor hashes. From then on, no process can use the database.
   * Resolves when the mark is saved on disk.
   */
  markMovedAway(tables: readonly Table[], now: number): Promise<void>;
  close(): Promise<void>;
}

/** Progress of a move: the current table, and the primary key of the last copied row. */
export interface Progress {
  table: string;
  /** Primary key of the last copied row, or null if no row of the table has been copied. */
  after: Row | null;
}

/** Database that should contain the same rows as the original database. */
export interface Copy extends Readable {
  /** Replaces characters that this database cannot store. If there are none, returns the same array. */
  storable(table: Table, row: Row): Row;
  /** Collects statistics for the query planner, so that queries are fast. This can take minutes. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

/** Database to which data is copied. The service refuses to open the database until `finish` has been called. */
export interface Target extends Copy {
  /** Returns the progress of the move, or null if no row has been copied yet. */
  progress(): Promise<Progress | null>;
  /** Writes rows and the progress of the move in one transaction. */
  append(table: Table, rows: Row[], to: Progress): Promise<void>;
  /**
   * Completes the move: sets the auto-increment value of each table and makes the database usable. Resolves when all
   * data is saved on disk.
   */
  finish(numbers: ReadonlyMap<Table, number>): Promise<void>;
}

export function writeProgress({ table, after }: Progress): string {
  return `${table}\n${after === null ? '' : writeKey(after)}`;
}

export function readProgress(text: string | null): Progress | null {
  const [table = '', key = ''] = (text ?? '').split(/\n(.*)/s);
  return table === '' ? null : { table, after: key === '' ? null : readKey(key) };
}

/** Creates the error that is thrown if the target of a move is not empty. */
export function notEmpty(table: string): StoreError {
  return new StoreError(
    `The database to move to is not empty: it has a table ${table}. Use a database without tables, or drop its tables.`,
  );
}

/** Thrown if the same move was already completed. */
export class AlreadyMoved extends StoreError {
  constructor() {
    super(
      'TO already contains a complete copy of FROM from an earlier move. Nothing was changed. Use an empty database.',
    );
  }
}

/** Creates the error for a target database that already contains an older or newer copy of the source database. */
export function differentCopy(): StoreError {
  return new StoreError(
    'The database to move to is not empty: it contains an older or newer copy of the other database. One of them was restored from a backup, or was used after the move. Nothing was changed. Use an empty database.',
  );
}

/** Creates the error that is thrown if the target of a move is already receiving data from another database. */
export function unfinishedOtherMove(): StoreError {
  return new StoreError(
    'The database to move to contains an unfinished move from another database. Finish that move, or empty the database.',
  );
}

/** Creates the error that is thrown if another process is executing the same move. */
export function concurrentMove(): StoreError {
  return new StoreError('Another process is already moving data to this database. Wait until that move is finished.');
}
