import { StoreError } from '../store/interface/store.ts';
import { type Row, readKey, type Table, writeKey } from './tables-and-rows.ts';

/** A database that is read, whichever engine it is. */
export interface Readable {
  count(table: Table): Promise<number>;
  /** Rows in the order of their key, texts by their bytes, from the one that follows `after`. */
  rows(table: Table, after: Row | null): AsyncGenerator<Row>;
  /** The last number that a table which numbers its rows has given; 0 where it gave none. */
  lastNumber(table: Table): Promise<number>;
}

/** The database that is moved. Nobody else can write it until it is closed. */
export interface Source extends Readable {
  /** What tells it from every other. */
  identity: string;
  /** Whether an address of a server leads to this very database, by whatever name the server is called there. */
  isAt(url: string): Promise<boolean>;
  /** Whether it was moved away once, and that was undone. */
  wasUndone(): Promise<boolean>;
  /**
   * Marks it as moved away: nobody opens it any more, and whoever has it open writes nothing. What tells visitors apart is gone from
   * it. On disk when it resolves.
   */
  leave(tables: readonly Table[], now: number): Promise<void>;
  close(): Promise<void>;
}

/** How far a move is: in which table, and the last key that was written there. */
export interface Progress {
  table: string;
  /** Null where the table is yet to begin. */
  after: Row | null;
}

/** A database that is compared with the one it was moved from. */
export interface Copy extends Readable {
  /** A row as this engine can hold it, or the row itself. */
  storable(table: Table, row: Row): Row;
  close(): Promise<void>;
}

/** The database that is moved to. It opens for nothing but the same move until that is finished. */
export interface Target extends Copy {
  /** Null where nothing was moved yet. */
  progress(): Promise<Progress | null>;
  /** Writes rows and how far the move is then, in ONE transaction. */
  append(table: Table, rows: Row[], to: Progress): Promise<void>;
  /** Has tables go on with their numbers, and opens the database for everybody; on disk when it resolves. */
  finish(numbers: ReadonlyMap<Table, number>): Promise<void>;
  /** Learns how its rows are spread, which may take a while; a database does without, more slowly, until it does so itself. */
  tidy(): Promise<void>;
}

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
