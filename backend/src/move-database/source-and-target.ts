import { StoreError } from '../store/interface/store.ts';
import { type Row, readKey, type Table, writeKey } from './tables-and-rows.ts';

/** Database whose rows can be read. It can be SQLite or PostgreSQL. */
export interface Readable {
  count(table: Table): Promise<number>;
  /** Yields rows sorted by primary key, starting after the key `after`. Texts are sorted by their bytes. */
  rows(table: Table, after: Row | null): AsyncGenerator<Row>;
  /** Returns the last number that a table with automatic numbering has assigned. Returns 0 if it has assigned none. */
  lastNumber(table: Table): Promise<number>;
}

/** Database whose data is moved. Until it is closed, no other process can write to it. */
export interface Source extends Readable {
  /** Random id of the database. */
  identity: string;
  /** True if the address belongs to the same database, even if the host name differs. */
  isAt(url: string): Promise<boolean>;
  /** True if the data was moved earlier and that move was undone. */
  wasUndone(): Promise<boolean>;
  /**
   * Marks the database as moved and deletes its visitor hashes. Afterwards, no process can open the database or write
   * to it. Resolves when the mark is on the disk.
   */
  leave(tables: readonly Table[], now: number): Promise<void>;
  close(): Promise<void>;
}

/** Progress of a move: the current table, and the primary key of the last copied row. */
export interface Progress {
  table: string;
  /** Null if no row of this table was copied yet. */
  after: Row | null;
}

/** Database whose rows are compared with the original. */
export interface Copy extends Readable {
  /** Returns the row with values that this database can store. If no value must change, the same array is returned. */
  storable(table: Table, row: Row): Row;
  close(): Promise<void>;
}

/** Database that receives the data. Until `finish` is called, only the same move can open it. */
export interface Target extends Copy {
  /** Null if no row was copied yet. */
  progress(): Promise<Progress | null>;
  /** Inserts rows and stores the progress, in one transaction. */
  append(table: Table, rows: Row[], to: Progress): Promise<void>;
  /**
   * Sets the next number of each table with automatic numbering, and makes the database usable. Resolves when all
   * data is on the disk.
   */
  finish(numbers: ReadonlyMap<Table, number>): Promise<void>;
  /** Updates the statistics of the query planner, without which queries would be slow. This can take a while. */
  tidy(): Promise<void>;
}

export function writeProgress({ table, after }: Progress): string {
  return `${table}\n${after === null ? '' : writeKey(after)}`;
}

export function readProgress(text: string | null): Progress | null {
  const [table = '', key = ''] = (text ?? '').split(/\n(.*)/s);
  return table === '' ? null : { table, after: key === '' ? null : readKey(key) };
}

/** Returns the error if the target database already contains tables. */
export function notEmpty(table: string): StoreError {
  return new StoreError(
    `The database to move to is not empty: it has a table ${table}. Use a database without tables, or drop its tables.`,
  );
}

/** Error if the data was already moved completely to this target. */
export class MovedBefore extends StoreError {
  constructor() {
    super('This database was already moved to that one completely. Nothing was changed.');
  }
}

/** Returns the error if the data of the target differs from the source. */
export function otherState(): StoreError {
  return new StoreError(
    'The database to move to is not empty: it contains a copy of the other one, and they differ. It was restored from a backup, or one of them was served since. Nothing was changed.',
  );
}

/** Returns the error if another database is being moved to the same target. */
export function otherMove(): StoreError {
  return new StoreError(
    'A move from another database to this one is not finished. Continue that move, or empty this database.',
  );
}

/** Returns the error if another process is moving data to the same target right now. */
export function rivalMove(): StoreError {
  return new StoreError('Another process is moving a database to this one now. Wait until it is finished.');
}
