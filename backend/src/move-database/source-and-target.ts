import { StoreError } from '../store/interface/store.ts';
import { type Row, readKey, type Table, writeKey } from './tables-and-rows.ts';

/** SQLite or PostgreSQL database whose rows can be read. */
export interface Readable {
  count(table: Table): Promise<number>;
  /** Yields all rows after the primary key `after`, sorted by primary key. Texts are sorted by their bytes. */
  rows(table: Table, after: Row | null): AsyncGenerator<Row>;
  /** Returns the last automatic number of a table, or 0 if no number was used yet. */
  lastNumber(table: Table): Promise<number>;
}

/** Database whose data is moved. Until it is closed, no other process can write to it. */
export interface Source extends Readable {
  identity: string;
  /** True if the address leads to this database, even if its host name is different. */
  isAt(url: string): Promise<boolean>;
  /** True if this database was moved before, and the move was undone. */
  wasUndone(): Promise<boolean>;
  /**
   * Marks the database as moved and deletes its visitor hashes. Afterwards, no process can use the database. Resolves
   * when the mark is saved on the disk.
   */
  markMovedAway(tables: readonly Table[], now: number): Promise<void>;
  close(): Promise<void>;
}

/** Progress of a move: the current table, and the primary key of the last row that was copied. */
export interface Progress {
  table: string;
  /** Primary key of the last copied row; null if no row of the table was copied. */
  after: Row | null;
}

/** Database that is compared with the original database. */
export interface Copy extends Readable {
  /** Returns a row that this database can store. If no value has to be changed, the same array is returned. */
  storable(table: Table, row: Row): Row;
  close(): Promise<void>;
}

/** Database to which the data is moved. Until `finish` is called, it can be used only to continue the same move. */
export interface Target extends Copy {
  /** Returns the progress of the move, or null if no row was copied yet. */
  progress(): Promise<Progress | null>;
  /** Writes rows and the progress of the move in one transaction. */
  append(table: Table, rows: Row[], to: Progress): Promise<void>;
  /**
   * Completes the move: sets the next automatic number of each table, and makes the database usable. Resolves when
   * everything is saved on the disk.
   */
  finish(numbers: ReadonlyMap<Table, number>): Promise<void>;
  /**
   * Updates the statistics of the query planner, because queries are slow without them. The update can take a while.
   */
  tidy(): Promise<void>;
}

export function writeProgress({ table, after }: Progress): string {
  return `${table}\n${after === null ? '' : writeKey(after)}`;
}

export function readProgress(text: string | null): Progress | null {
  const [table = '', key = ''] = (text ?? '').split(/\n(.*)/s);
  return table === '' ? null : { table, after: key === '' ? null : readKey(key) };
}

/** Returns the error for a move to a database that is not empty. */
export function notEmpty(table: string): StoreError {
  return new StoreError(
    `The database to move to is not empty: it has a table ${table}. Use a database without tables, or drop its tables.`,
  );
}

/** Error for a move that was already completed earlier. */
export class AlreadyMoved extends StoreError {
  constructor() {
    super(
      'TO already contains a complete copy of FROM from an earlier move. Nothing was changed. Use an empty database.',
    );
  }
}

/** Returns the error if the target of a move already contains a copy with different rows. */
export function differentCopy(): StoreError {
  return new StoreError(
    'The database to move to is not empty: it contains an older or newer copy of the other database. One of them was restored from a backup, or was used after the move. Nothing was changed. Use an empty database.',
  );
}

/** Returns the error for a move to a database that already receives data from another database. */
export function unfinishedOtherMove(): StoreError {
  return new StoreError(
    'The database to move to contains an unfinished move from another database. Finish that move, or empty the database.',
  );
}

/** Returns the error for a move that another process is executing at the same time. */
export function concurrentMove(): StoreError {
  return new StoreError('Another process is already moving data to this database. Wait until that move is finished.');
}
